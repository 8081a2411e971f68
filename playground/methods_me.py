"""Methods about the bot itself: who it is, how it gets updates, its commands and texts, its files."""

import re
from typing import Any

from playground.api import Api, method
from playground.media import MAX_DOWNLOAD
from playground.show import bot_json
from playground.wire import Json, Params, bad_request

MAX_COMMANDS = 100
_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_SCOPES = frozenset(
    {
        "default",
        "all_private_chats",
        "all_group_chats",
        "all_chat_administrators",
        "chat",
        "chat_administrators",
        "chat_member",
    }
)


@method("getMe")
async def get_me(api: Api, p: Params) -> Json:
    """The bot."""
    return bot_json(api.world, reads_all=not api.privacy)


@method("logOut")
async def log_out(api: Api, p: Params) -> bool:
    """Nothing happens here."""
    return True


@method("close")
async def close(api: Api, p: Params) -> bool:
    """Nothing happens here."""
    return True


@method("getUpdates")
async def get_updates(api: Api, p: Params) -> list[Json]:
    """Long polling."""
    api.updates.allow(_kinds(p))
    limit = p.integer("limit")
    return await api.updates.fetch(
        p.integer("offset") or 0, min(100, limit) if limit and limit > 0 else 100, p.number("timeout") or 0.0
    )


def _kinds(p: Params) -> list[str] | None:
    given = p.structure("allowed_updates")
    if given is not None and not isinstance(given, list):
        raise bad_request("can't parse allowed_updates: expected an Array of String")
    return given


@method("setWebhook")
async def set_webhook(api: Api, p: Params) -> bool:
    """Updates are pushed from now on; an empty address ends that. Plain HTTP is allowed here, on loopback."""
    url = p.text("url")
    if not url:
        return _no_webhook(api, p)
    if not re.match(r"https?://[^/\s]+", url):
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    secret = p.text("secret_token")
    if secret and not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", secret):
        raise bad_request("secret token contains unallowed characters")
    api.updates.allow(_kinds(p))
    if p.flag("drop_pending_updates"):
        api.updates.clear()
    api.updates.webhook_set = True
    api.updates.interrupt("terminated by setWebhook request")
    if api.webhook is not None:
        api.webhook.start(url, secret, p.integer("max_connections") or 40)
    return True


@method("deleteWebhook")
async def delete_webhook(api: Api, p: Params) -> bool:
    """Back to long polling."""
    return _no_webhook(api, p)


def _no_webhook(api: Api, p: Params) -> bool:
    if p.flag("drop_pending_updates"):
        api.updates.clear()
    api.updates.webhook_set = False
    if api.webhook is not None:
        api.webhook.stop()
    return True


@method("getWebhookInfo")
async def get_webhook_info(api: Api, p: Params) -> Json:
    """Where updates go, and how many wait."""
    info: Json = {"url": "", "has_custom_certificate": False, "pending_update_count": len(api.updates.fresh())}
    if api.updates.webhook_set and api.webhook is not None:
        info |= api.webhook.info()
    if api.updates.allowed:
        info["allowed_updates"] = api.updates.allowed
    return info


# -- commands ----------------------------------------------------------------------------------------------------


def scope_key(scope: Any, api: Api, language: str) -> tuple[str, int, int, str]:
    """The key of a `BotCommandScope` and a language; raises ApiError 400 for an unknown one."""
    if scope is None:
        scope = {"type": "default"}
    if not isinstance(scope, dict) or scope.get("type") not in _SCOPES:
        raise bad_request("can't parse BotCommandScope: Unsupported type specified")
    chat_id = user_id = 0
    if scope["type"] in ("chat", "chat_administrators", "chat_member"):
        chat = api.find_chat(scope.get("chat_id"))
        if chat is None:
            raise bad_request("chat not found")
        chat_id = chat.id
    if scope["type"] == "chat_member":
        user_id = Params(scope).integer("user_id") or 0
        if api.world.user(user_id) is None:
            raise bad_request("user not found")
    return scope["type"], chat_id, user_id, language


@method("setMyCommands")
async def set_my_commands(api: Api, p: Params) -> bool:
    """The menu of commands of a scope and a language."""
    listed = p.structure("commands")
    if not isinstance(listed, list):
        raise bad_request("can't parse commands: expected an Array of BotCommand")
    if len(listed) > MAX_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    commands: list[Json] = []
    for one in listed:
        name = str(one.get("command", "")).removeprefix("/") if isinstance(one, dict) else ""
        if not _COMMAND.fullmatch(name):
            raise bad_request("BOT_COMMAND_INVALID")
        description = str(one.get("description", "")).strip()
        if not 1 <= len(description) <= 256:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
        commands.append({"command": name, "description": description})
    api.commands[scope_key(p.structure("scope"), api, p.text("language_code"))] = commands
    api.world.state_changed()
    return True


@method("deleteMyCommands")
async def delete_my_commands(api: Api, p: Params) -> bool:
    """No menu for this scope and language."""
    api.commands.pop(scope_key(p.structure("scope"), api, p.text("language_code")), None)
    api.world.state_changed()
    return True


@method("getMyCommands")
async def get_my_commands(api: Api, p: Params) -> list[Json]:
    """The menu that was set for exactly this scope and language."""
    return api.commands.get(scope_key(p.structure("scope"), api, p.text("language_code")), [])


def commands_for(api: Api, chat_id: int, person_id: int) -> list[Json]:
    """The menu that a person sees in a chat: the narrowest scope that was set, his language first."""
    chat, person = api.world.chats.get(chat_id), api.world.people.get(person_id)
    if chat is None or person is None:
        return []
    scopes: list[tuple[str, int, int]] = []
    if chat.is_group:
        member = chat.member(person_id)
        admin = member is not None and member.is_admin
        scopes.append(("chat_member", chat_id, person_id))
        scopes += [("chat_administrators", chat_id, 0)] if admin else []
        scopes.append(("chat", chat_id, 0))
        scopes += [("all_chat_administrators", 0, 0)] if admin else []
        scopes.append(("all_group_chats", 0, 0))
    else:
        scopes += [("chat", chat_id, 0), ("all_private_chats", 0, 0)]
    for scope in [*scopes, ("default", 0, 0)]:
        for language in (person.language_code or "", ""):
            if (*scope, language) in api.commands:
                return api.commands[(*scope, language)]
    return []


@method("setChatMenuButton")
async def set_chat_menu_button(api: Api, p: Params) -> bool:
    """The button beside the input field of a private chat."""
    button = p.structure("menu_button") or {"type": "default"}
    if not isinstance(button, dict) or button.get("type") not in ("commands", "web_app", "default"):
        raise bad_request("can't parse menu button: Unsupported type specified")
    api.menu_buttons[p.integer("chat_id") or 0] = button
    return True


@method("getChatMenuButton")
async def get_chat_menu_button(api: Api, p: Params) -> Json:
    """That button."""
    return api.menu_buttons.get(p.integer("chat_id") or 0, {"type": "commands"})


# -- names and texts ---------------------------------------------------------------------------------------------


def _text_methods(what: str, field: str, limit: int, refusal: str) -> None:
    async def set_text(api: Api, p: Params) -> bool:
        value = p.text(field)
        if len(value) > limit:
            raise bad_request(refusal)
        api.texts[(field, p.text("language_code"))] = value
        return True

    async def get_text(api: Api, p: Params) -> Json:
        fallback = api.world.bot.first_name if field == "name" else ""
        language = p.text("language_code")
        return {field: api.texts.get((field, language)) or api.texts.get((field, "")) or fallback}

    set_text.__doc__, get_text.__doc__ = f"Set the bot's {field}.", f"The bot's {field}."
    method(f"setMy{what}")(set_text)
    method(f"getMy{what}")(get_text)


_text_methods("Name", "name", 64, "BOT_TITLE_INVALID")
_text_methods("Description", "description", 512, "BOT_DESCRIPTION_INVALID")
_text_methods("ShortDescription", "short_description", 120, "BOT_SHORT_DESCRIPTION_INVALID")


# -- files and profiles ------------------------------------------------------------------------------------------


@method("getFile")
async def get_file(api: Api, p: Params) -> Json:
    """A path to download a file from."""
    file = api.files.by_id(p.text("file_id"))
    if file is None or file.data is None:
        raise bad_request("invalid file_id" if file is None else "wrong file_id or the file is temporarily unavailable")
    if file.size > MAX_DOWNLOAD:
        raise bad_request("file is too big")
    return {
        "file_id": p.text("file_id"),
        "file_unique_id": file.unique_id,
        "file_size": file.size,
        "file_path": file.path,
    }


@method("getUserProfilePhotos")
async def get_user_profile_photos(api: Api, p: Params) -> Json:
    """Nobody here has a picture."""
    if api.world.user(p.integer("user_id") or 0) is None:
        raise bad_request("user not found")
    return {"total_count": 0, "photos": []}
