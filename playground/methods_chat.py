"""Methods about chats and their members."""

from playground.api import Api, method
from playground.members import set_status
from playground.show import full_chat_json, member_json
from playground.wire import Json, Params, bad_request, forbidden
from playground.world import ADMIN_RIGHTS, Chat, Member, Person, Status


@method("getChat")
async def get_chat(api: Api, p: Params) -> Json:
    """Everything about a chat."""
    return full_chat_json(api.chat(p), api.world)


@method("getChatAdministrators")
async def get_chat_administrators(api: Api, p: Params) -> list[Json]:
    """The owner and the administrators; other bots are not listed (the bot itself is)."""
    chat = _group(api, p, "there are no administrators in the private chat")
    admins = [one for one in chat.members.values() if one.is_admin]
    return [member_json(one) for one in sorted(admins, key=lambda one: one.status is not Status.CREATOR)]


def _group(api: Api, p: Params, refusal: str) -> Chat:
    chat = api.chat(p)
    if not chat.is_group:
        raise bad_request(refusal)
    return chat


@method("getChatMemberCount")
async def get_chat_member_count(api: Api, p: Params) -> int:
    """How many are in the chat."""
    chat = api.chat(p)
    return sum(one.present for one in chat.members.values()) if chat.is_group else 2


def _person(api: Api, p: Params) -> Person:
    if not p.has("user_id"):
        raise bad_request("invalid user_id specified")
    person = api.world.user(p.integer("user_id") or 0)
    if person is None:
        raise bad_request("user not found" if p.integer("user_id") else "invalid user_id specified")
    return person


@method("getChatMember")
async def get_chat_member(api: Api, p: Params) -> Json:
    """A person's place in a chat; somebody who never was there has left."""
    chat, person = api.chat(p), _person(api, p)
    if chat.peer is not None:
        here = person is chat.peer or person is api.world.bot
        return member_json(Member(person, Status.MEMBER if here else Status.LEFT))
    return member_json(chat.member(person.id) or Member(person, Status.LEFT))


@method("leaveChat")
async def leave_chat(api: Api, p: Params) -> bool:
    """The bot leaves."""
    chat = _group(api, p, "chat member status can't be changed in private chats")
    set_status(api, chat, api.world.bot, Status.LEFT, api.world.bot)
    return True


def _other(api: Api, p: Params, right: str) -> tuple[Chat, Person]:
    chat = _group(api, p, "can't change chat member status in private chats")
    person = _person(api, p)
    api.need_right(chat, right, "not enough rights to restrict/unrestrict chat member")
    member = chat.member(person.id)
    if member is not None and member.status is Status.CREATOR:
        raise bad_request("can't remove chat owner")
    if member is not None and member.is_admin:
        raise bad_request("user is an administrator of the chat")
    return chat, person


@method("banChatMember")
async def ban_chat_member(api: Api, p: Params) -> bool:
    """A person is thrown out."""
    chat, person = _other(api, p, "can_restrict_members")
    set_status(api, chat, person, Status.KICKED, api.world.bot)
    return True


@method("unbanChatMember")
async def unban_chat_member(api: Api, p: Params) -> bool:
    """A person may come back; who is inside is thrown out, unless `only_if_banned`."""
    chat, person = _other(api, p, "can_restrict_members")
    member = chat.member(person.id)
    if member is not None and (member.status is Status.KICKED or (member.present and not p.flag("only_if_banned"))):
        set_status(api, chat, person, Status.LEFT, api.world.bot)
    return True


@method("promoteChatMember")
async def promote_chat_member(api: Api, p: Params) -> bool:
    """A person becomes an administrator, or stops being one when every right is taken."""
    chat = _group(api, p, "can't promote in private chats")
    person = _person(api, p)
    me = chat.member(api.world.bot.id)
    if me is None or not me.may("can_promote_members"):
        raise bad_request("not enough rights")
    rights = {right: p.flag(right) for right in (*ADMIN_RIGHTS, "is_anonymous")}
    status = Status.ADMINISTRATOR if any(rights.values()) else Status.MEMBER
    set_status(api, chat, person, status, api.world.bot, rights=rights)
    return True


@method("setChatAdministratorCustomTitle")
async def set_chat_administrator_custom_title(api: Api, p: Params) -> bool:
    """The words beside an administrator's name."""
    chat = _group(api, p, "method is available only in supergroups")
    member = chat.member(_person(api, p).id)
    if member is None or not member.is_admin:
        raise bad_request("user is not an administrator")
    if not api.bot_administers(chat):
        raise bad_request("not enough rights to change custom title of the user")
    member.title = p.text("custom_title")[:16] or None
    api.world.state_changed()
    return True


@method("setChatMemberTag")
async def set_chat_member_tag(api: Api, p: Params) -> bool:
    """The words beside a member's name."""
    chat = _group(api, p, "method is available only in groups")
    api.need_right(chat, "can_manage_tags", "not enough rights to manage tags in the chat")
    member = chat.member(_person(api, p).id)
    if member is None or not member.present:
        raise bad_request("user not found")
    member.tag = p.text("tag")[:16] or None
    api.world.state_changed()
    return True


@method("setChatTitle")
async def set_chat_title(api: Api, p: Params) -> bool:
    """A new name of the group."""
    chat = _group(api, p, "chat title can't be changed in private chats")
    api.need_right(chat, "can_change_info", "not enough rights to change chat title")
    title = p.text("title").strip()
    if not title:
        raise bad_request("title must be non-empty")
    chat.title = title[:128]
    api.world.state_changed()
    return True


@method("setChatDescription")
async def set_chat_description(api: Api, p: Params) -> bool:
    """A new description of the group."""
    chat = _group(api, p, "chat description can't be changed in private chats")
    api.need_right(chat, "can_change_info", "not enough rights to set chat description")
    chat.description = p.text("description")[:255] or None
    return True


@method("exportChatInviteLink")
async def export_chat_invite_link(api: Api, p: Params) -> str:
    """A link into the group; it leads nowhere here."""
    chat = _group(api, p, "can't get invite link of a private chat")
    me = chat.member(api.world.bot.id)
    if me is None or not me.may("can_invite_users"):
        raise bad_request("not enough rights to manage chat invite link")
    if not me.present:
        raise forbidden("bot is not a member of the chat")
    return f"https://t.me/+{abs(chat.id):x}"
