"""Which messages of people reach the bot."""

import re

from playground.world import Chat, Message, World


def reaches_bot(message: Message, world: World, *, privacy: bool) -> bool:
    """Whether the bot gets an update about this message of somebody else.

    With privacy mode on, and no administrator's rights, it gets commands that are not another bot's, replies to it,
    messages that name it or came through it, and all service messages [core.telegram.org/bots/faq].
    """
    chat = message.chat
    if not chat.is_group:
        return True
    me = chat.member(world.bot.id)
    if me is None or not me.present:
        return False
    if not privacy or me.is_admin or message.service is not None or message.via_bot:
        return True
    if message.reply_to is not None and message.reply_to.sender is world.bot:
        return True
    return _addressed(message, world)


def _addressed(message: Message, world: World) -> bool:
    text = message.text or ""
    encoded = text.encode("utf-16-le")
    name = (world.bot.username or "").lower()
    for entity in message.entities:
        start = 2 * entity["offset"]
        said = encoded[start : start + 2 * entity["length"]].decode("utf-16-le").lower()
        match entity["type"]:
            case "bot_command":
                to = re.fullmatch(r"/\w+(?:@(\w+))?", said)
                if to and (to[1] is None or to[1] == name):
                    return True
            case "mention" if said == f"@{name}":
                return True
            case "text_mention" if entity.get("user", {}).get("id") == world.bot.id:
                return True
    return False


def bot_administers(chat: Chat, world: World) -> bool:
    """Whether the bot is an administrator of the chat; in a private chat it always may."""
    me = chat.member(world.bot.id)
    return not chat.is_group or (me is not None and me.is_admin)
