"""Coming and going: members, their rights, and what the bot hears of it."""

from playground.api import Api
from playground.compose import next_id
from playground.show import chat_json, member_json, user_json
from playground.wire import Json
from playground.world import Chat, ChatType, Member, Message, Person, Status


def service_message(api: Api, chat: Chat, sender: Person, service: Json) -> Message:
    """Post a service message and tell the bot."""
    message = Message(chat, next_id(chat), int(api.world.now()), sender, service=service)
    api.world.post(message)
    api.deliver(message)
    return message


def membership_update(api: Api, chat: Chat, by: Person, old: Json, new: Json) -> None:
    """`my_chat_member` about the bot, `chat_member` about others (only where the bot is an administrator)."""
    about_bot = new["user"]["id"] == api.world.bot.id
    if not about_bot and not api.bot_administers(chat):
        return
    api.updates.push(
        "my_chat_member" if about_bot else "chat_member",
        {
            "chat": chat_json(chat),
            "from": user_json(by),
            "date": int(api.world.now()),
            "old_chat_member": old,
            "new_chat_member": new,
        },
    )


def set_status(
    api: Api,
    chat: Chat,
    person: Person,
    status: Status,
    by: Person | None = None,
    *,
    title: str | None = None,
    rights: dict[str, bool] | None = None,
) -> Member:
    """Give a person (or the bot) a new place in a group, with the service message and the updates of that.

    `by` is who did it; without him the person did it himself (an administrator is made by the owner, a kick too).
    """
    member = chat.member(person.id)
    if member is None:
        member = chat.members[person.id] = Member(person, Status.LEFT)
    was_present, old = member.present, member_json(member)
    owner = next((one.person for one in chat.members.values() if one.status is Status.CREATOR), None)
    acting = by or (owner if status in (Status.ADMINISTRATOR, Status.KICKED) or person.is_bot else None) or person
    leaving = was_present and status in (Status.LEFT, Status.KICKED)
    if leaving and person is not api.world.bot:
        service_message(api, chat, acting, {"left_chat_member": user_json(person)})
    member.status = status
    if title is not None:
        member.title = title or None
    if rights is not None:
        member.rights = rights
    if not member.is_admin:
        member.rights, member.title = {}, None
    new = member_json(member)
    if new != old:
        membership_update(api, chat, acting, old, new)
    if not was_present and member.present:
        service_message(api, chat, acting, {"new_chat_members": [user_json(person)]})
    elif leaving and person is api.world.bot:
        # The bot hears of its own leaving only by my_chat_member.
        note = Message(
            chat, next_id(chat), int(api.world.now()), acting, service={"left_chat_member": user_json(person)}
        )
        api.world.post(note)
    api.world.state_changed()
    return member


def set_blocked(api: Api, person: Person, blocked: bool) -> None:
    """A person blocks the bot or takes that back; the bot hears of it."""
    if person.blocked == blocked:
        return
    chat = api.world.chats[person.id]
    person.blocked = blocked
    me = api.world.bot
    here, gone = Member(me, Status.MEMBER), Member(me, Status.KICKED)
    old, new = (here, gone) if blocked else (gone, here)
    membership_update(api, chat, person, member_json(old), member_json(new))
    api.world.state_changed()


def migrate(api: Api, chat: Chat) -> Chat:
    """A group becomes a supergroup: a new id, the old one only points there. Both messages reach the bot."""
    new = api.world.add_chat(ChatType.SUPERGROUP, chat.title)
    new.description = chat.description
    new.members = {
        key: Member(one.person, one.status, one.title, one.tag, dict(one.rights)) for key, one in chat.members.items()
    }
    by = next((one.person for one in chat.members.values() if one.status is Status.CREATOR), None)
    by = by or next((one.person for one in chat.members.values() if not one.person.is_bot), api.world.bot)
    chat.migrated_to, new.migrated_from = new.id, chat.id
    service_message(api, chat, by, {"migrate_to_chat_id": new.id})
    service_message(api, new, api.world.anonymous, {"migrate_from_chat_id": chat.id})
    api.world.state_changed()
    return new
