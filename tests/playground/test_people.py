"""What people do reaches the bot as Telegram would bring it."""

from typing import Any

import pytest
from telegram import Bot, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats, BotCommandScopeChatMember
from telegram.constants import MessageEntityType

from playground.client import Control, ControlError
from playground.scene import FORUM_ID, GROUP_ID, PEOPLE, SMALL_GROUP_ID
from playground.world import GROUP_ANONYMOUS_BOT, KEPT_MESSAGES

ZIMA, ADVOKAT, VIRT, JUNGA, MIRRA, BOCMAN, NEMO = (one[0] for one in PEOPLE)
EVERYTHING = ["message", "edited_message", "my_chat_member", "chat_member", "message_reaction", "callback_query"]


async def test_the_scene_is_ready_to_play(control: Control, bot: Bot) -> None:
    state = await control.state()
    group, forum = ({one["id"]: one for one in state["chats"]}[number] for number in (GROUP_ID, FORUM_ID))
    assert len(group["members"]) == 8
    assert {"id": bot.id, "status": "member"} in group["members"]
    assert forum["is_forum"]
    assert len(forum["topics"]) == 2
    assert state["switches"] == {"limits": False, "privacy": False}
    assert {"ZimA", "Адвокат", "Вирт", "Юнга", "Mirra", "Боцман"} <= {one["first_name"] for one in state["people"]}


async def test_a_plain_text_of_a_group(control: Control, inbox: Any) -> None:
    shown = await control.send(ZIMA, GROUP_ID, "То ZimA - А4")
    (update,) = await inbox.take()
    message = update.message
    assert (message.text, message.from_user.id, message.chat.id) == ("То ZimA - А4", ZIMA, GROUP_ID)
    assert message.message_id == shown["message_id"]


async def test_an_edit_is_another_kind_of_update(control: Control, inbox: Any) -> None:
    shown = await control.send(ZIMA, GROUP_ID, "А4")
    await control.send(ZIMA, GROUP_ID, "А5", edit=shown["message_id"])
    first, second = await inbox.take()
    assert (first.message.text, second.edited_message.text) == ("А4", "А5")
    with pytest.raises(ControlError, match="is not a text of Адвокат"):
        await control.send(ADVOKAT, GROUP_ID, "А6", edit=shown["message_id"])


async def test_privacy_mode_hides_what_is_not_for_the_bot(bot: Bot, control: Control, inbox: Any) -> None:
    await control.switch(privacy=True)
    assert (await bot.get_me()).can_read_all_group_messages is False
    own = await bot.send_message(GROUP_ID, "чей ход?")
    await control.send(ZIMA, GROUP_ID, "А4")
    await control.send(ZIMA, GROUP_ID, "/fire@other_bot А4")
    await control.send(ZIMA, GROUP_ID, "мой", reply_to=own.message_id)
    await control.send(ZIMA, GROUP_ID, "/fire А4")
    await control.send(ZIMA, GROUP_ID, f"/fire@{bot.username} А4")
    await control.send(ZIMA, GROUP_ID, f"эй @{bot.username}")
    await control.send(ZIMA, FORUM_ID, "администратор слышит всё")
    await control.start(ZIMA)
    heard = [one.message.text for one in await inbox.take()]
    assert heard == [
        "мой",
        "/fire А4",
        f"/fire@{bot.username} А4",
        f"эй @{bot.username}",
        "администратор слышит всё",
        "/start",
    ]


async def test_a_deep_link(control: Control, inbox: Any) -> None:
    await control.start(VIRT, "join_42-x")
    (update,) = await inbox.take()
    assert update.message.text == "/start join_42-x"
    assert update.message.chat.id == VIRT
    assert update.message.entities[0].type == MessageEntityType.BOT_COMMAND
    assert next(one for one in (await control.state())["people"] if one["id"] == VIRT)["started"]
    with pytest.raises(ControlError, match="1 to 64 characters"):
        await control.start(VIRT, "не годится")


async def test_a_startgroup_link_brings_the_bot_into_the_group(bot: Bot, control: Control, inbox: Any) -> None:
    chat = await control.add_chat("group", "Новая", members=[ZIMA], bot=False)
    await control.start(ZIMA, "lobby", chat=chat["id"])
    brought, hello, said = await inbox.take()
    assert brought.my_chat_member.from_user.id == ZIMA
    assert hello.message.new_chat_members[0].id == bot.id
    assert said.message.text == f"/start@{bot.username} lobby"


async def test_an_anonymous_administrator(control: Control, inbox: Any) -> None:
    await control.send(ADVOKAT, FORUM_ID, "слушайте", anonymous=True)
    (update,) = await inbox.take()
    assert update.message.from_user.id == GROUP_ANONYMOUS_BOT
    assert update.message.sender_chat.id == FORUM_ID
    with pytest.raises(ControlError, match="only an administrator"):
        await control.send(ZIMA, FORUM_ID, "слушайте", anonymous=True)


async def test_coming_and_going(bot: Bot, control: Control, inbox: Any) -> None:
    await inbox.take(allowed=EVERYTHING)
    await control.set_member(FORUM_ID, NEMO, "left")
    await control.set_member(FORUM_ID, NEMO, "member")
    await control.set_member(GROUP_ID, JUNGA, "kicked")
    left, changed, back, joined, kicked = await inbox.take()
    assert left.message.left_chat_member.id == NEMO
    assert (changed.chat_member.old_chat_member.status, changed.chat_member.new_chat_member.status) == (
        "member",
        "left",
    )
    assert back.chat_member.new_chat_member.status == "member"
    assert [one.id for one in joined.message.new_chat_members] == [NEMO]
    # Where the bot is no administrator it hears only the service message.
    assert kicked.message.left_chat_member.id == JUNGA
    assert (await bot.get_chat_member(GROUP_ID, JUNGA)).status == "kicked"
    with pytest.raises(ControlError, match="is not in chat"):
        await control.send(JUNGA, GROUP_ID, "пустите")


async def test_chat_member_updates_must_be_asked_for(control: Control, inbox: Any) -> None:
    await control.set_member(FORUM_ID, NEMO, "left")
    assert [one.message.left_chat_member.id for one in await inbox.take()] == [NEMO]


async def test_the_bot_is_brought_promoted_and_thrown_out(bot: Bot, control: Control, inbox: Any) -> None:
    chat = await control.add_chat("group", "Новая", members=[ZIMA], admins=[ADVOKAT])
    await control.set_member(chat["id"], bot.id, "administrator")
    await control.set_member(chat["id"], bot.id, "kicked")
    brought, hello, promoted, thrown = await inbox.take()
    assert brought.my_chat_member.new_chat_member.status == "member"
    assert hello.message.new_chat_members[0].id == bot.id
    assert promoted.my_chat_member.new_chat_member.status == "administrator"
    assert thrown.my_chat_member.new_chat_member.status == "kicked"
    assert thrown.my_chat_member.from_user.id == ADVOKAT


async def test_a_blocked_bot_hears_of_it_and_of_the_return(control: Control, inbox: Any) -> None:
    await control.change_person(ZIMA, blocked=True)
    await control.start(ZIMA)
    blocked, unblocked, start = await inbox.take()
    assert blocked.my_chat_member.new_chat_member.status == "kicked"
    assert unblocked.my_chat_member.new_chat_member.status == "member"
    assert start.message.text == "/start"


async def test_both_sides_of_a_migration(control: Control, inbox: Any) -> None:
    new = await control.migrate(SMALL_GROUP_ID)
    old_side, new_side = await inbox.take()
    assert (old_side.message.chat.id, old_side.message.migrate_to_chat_id) == (SMALL_GROUP_ID, new["id"])
    assert (new_side.message.chat.id, new_side.message.migrate_from_chat_id) == (new["id"], SMALL_GROUP_ID)
    assert {one["id"] for one in new["members"]} >= {ZIMA, ADVOKAT, VIRT, JUNGA}
    with pytest.raises(ControlError, match="became the supergroup"):
        await control.send(ZIMA, SMALL_GROUP_ID, "эй")


async def test_reactions_reach_an_administrator_that_asked(bot: Bot, control: Control, inbox: Any) -> None:
    await inbox.take(allowed=EVERYTHING)
    message = await bot.send_message(FORUM_ID, "попадание")
    await control.react(ZIMA, FORUM_ID, message.message_id, "🔥")
    await control.react(ZIMA, FORUM_ID, message.message_id, None)
    on, off = await inbox.take()
    assert [one.emoji for one in on.message_reaction.new_reaction] == ["🔥"]
    assert off.message_reaction.new_reaction == ()
    elsewhere = await bot.send_message(GROUP_ID, "попадание")
    await control.react(ZIMA, GROUP_ID, elsewhere.message_id, "🔥")
    assert await inbox.take() == []


async def test_the_administrators_and_the_others(bot: Bot) -> None:
    admins = await bot.get_chat_administrators(GROUP_ID)
    assert [(one.user.id, one.status) for one in admins] == [(ZIMA, "creator"), (BOCMAN, "administrator")]
    assert (await bot.get_chat_member(GROUP_ID, VIRT)).status == "member"
    assert await bot.get_chat_member_count(GROUP_ID) == 8
    assert (await bot.get_chat_member(SMALL_GROUP_ID, NEMO)).status == "left"


async def test_the_menu_of_commands_is_the_narrowest_one(bot: Bot, control: Control) -> None:
    await bot.set_my_commands([("help", "help")])
    await bot.set_my_commands([("help", "помощь")], language_code="ru")
    await bot.set_my_commands([("newgame", "new game")], scope=BotCommandScopeAllGroupChats())
    await bot.set_my_commands([("start", "start")], scope=BotCommandScopeAllPrivateChats())
    await bot.set_my_commands([("fire", "огонь")], scope=BotCommandScopeChatMember(GROUP_ID, ZIMA))

    async def menu(chat: int, person: int) -> list[str]:
        return [one["command"] for one in await control.get("commands", chat=chat, person=person)]

    assert await menu(GROUP_ID, ZIMA) == ["fire"]
    assert await menu(GROUP_ID, VIRT) == ["newgame"]
    assert await menu(VIRT, VIRT) == ["start"]
    assert [one.description for one in await bot.get_my_commands(language_code="ru")] == ["помощь"]


async def test_history_is_bounded(bot: Bot, control: Control) -> None:
    first = await control.send(ZIMA, GROUP_ID, "0")
    for number in range(KEPT_MESSAGES):
        await control.send(ZIMA, GROUP_ID, str(number + 1))
    kept = await control.messages(GROUP_ID)
    assert len(kept) == KEPT_MESSAGES
    assert kept[0]["message_id"] > first["message_id"]
