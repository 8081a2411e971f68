"""The control API as Python methods, over HTTP or in process, for tests and scripts."""

from types import TracebackType
from typing import Any, cast

import httpx

from playground.wire import Json


class ControlError(Exception):
    """The playground refused; the text says what is wrong and what would be right."""


class Control:
    """A client of the control API.

    `Control("http://127.0.0.1:8081")` over HTTP, or with an `httpx.AsyncClient` of one's own; in process use
    `Playground.client()`. Methods give the JSON that docs/playground.md names and raise ControlError on a refusal.
    """

    def __init__(self, url: "str | httpx.AsyncClient") -> None:
        self.http = (
            httpx.AsyncClient(base_url=url, timeout=httpx.Timeout(10, read=None), trust_env=False)
            if isinstance(url, str)
            else url
        )

    async def __aenter__(self) -> "Control":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self.http.aclose()

    async def get(self, path: str, **query: Any) -> Json:
        """Any GET of the control API; None is left out."""
        given = {name.rstrip("_"): value for name, value in query.items() if value is not None}
        return _result(await self.http.get(f"/control/{path}", params=given))

    async def post(self, path: str, **body: Any) -> Json:
        """Any POST of the control API; `from_` is `from`, None is left out."""
        given = {name.rstrip("_"): value for name, value in body.items() if value is not None}
        return _result(await self.http.post(f"/control/{path}", json=given))

    async def state(self) -> Json:
        """Everything: people, chats, switches, the clock."""
        return await self.get("state")

    async def add_person(self, first_name: str, **more: Any) -> Json:
        """A new person."""
        return await self.post("people", first_name=first_name, **more)

    async def change_person(self, person: int, **changes: Any) -> Json:
        """Another name or language, or `blocked=True`."""
        return _result(await self.http.patch(f"/control/people/{person}", json=changes))

    async def add_chat(self, kind: str, title: str, **more: Any) -> Json:
        """A new group: `members`, `admins`, `is_forum`, `bot`, `id`."""
        return await self.post("chats", type=kind, title=title, **more)

    async def set_member(self, chat: int, person: int, status: str, **more: Any) -> Json:
        """Join, leave, promote, kick; the bot's id works too."""
        return await self.post("members", chat=chat, person=person, status=status, **more)

    async def add_topic(self, chat: int, name: str, person: int) -> Json:
        """A new topic of a forum."""
        return await self.post("topics", chat=chat, name=name, from_=person)

    async def close_topic(self, chat: int, thread: int, *, closed: bool = True, deleted: bool = False) -> None:
        """Close, reopen or delete a topic."""
        await self.post("topics/close", chat=chat, thread=thread, closed=closed, deleted=deleted)

    async def migrate(self, chat: int) -> Json:
        """A group becomes a supergroup; gives the new chat."""
        return await self.post("migrate", chat=chat)

    async def messages(self, chat: int, *, after: int | None = None, thread: int | None = None) -> list[Json]:
        """The messages of a chat that changed after a version, newest last."""
        found = await self.get("messages", chat=chat, after=after, thread=thread, limit=2_000)
        messages: list[Json] = found["messages"]
        return messages

    async def send(self, person: int, chat: int, text: str, **more: Any) -> Json:
        """A person writes: `thread`, `reply_to`, `anonymous`, `edit`, `date`."""
        return await self.post("send", from_=person, chat=chat, text=text, **more)

    async def press(
        self,
        person: int,
        chat: int,
        message_id: int,
        data: str | None = None,
        *,
        button: str | None = None,
        **more: Any,
    ) -> Json:
        """A person presses a button, by its data or its text; gives the bot's answer."""
        given = {"chat": chat, "message_id": message_id, "data": data, "button": button, **more}
        return await self.post("press", from_=person, **given)

    async def start(self, person: int, payload: str | None = None, *, chat: int | None = None) -> Json:
        """A person opens the private chat and presses Start; with `chat` he follows a startgroup link there."""
        return await self.post("start", from_=person, payload=payload, chat=chat)

    async def inline(self, person: int, chat: int, query: str = "", **more: Any) -> Json:
        """A person types an inline query; gives the results."""
        return await self.post("inline", from_=person, chat=chat, query=query, **more)

    async def choose(self, person: int, chat: int, query_id: str, result_id: str, **more: Any) -> Json:
        """He sends one of the results."""
        given = {"chat": chat, "query_id": query_id, "result_id": result_id, **more}
        return await self.post("choose", from_=person, **given)

    async def react(self, person: int, chat: int, message_id: int, emoji: str | None) -> None:
        """A person's reaction, or none."""
        await self.post("react", from_=person, chat=chat, message_id=message_id, emoji=emoji)

    async def pin(self, person: int, chat: int, message_id: int) -> None:
        """An administrator pins a message."""
        await self.post("pin", from_=person, chat=chat, message_id=message_id)

    async def delete(self, chat: int, message_id: int) -> None:
        """A person deletes a message."""
        await self.post("delete", chat=chat, message_id=message_id)

    async def update(self, **update: Any) -> int:
        """A raw update, as it is."""
        return int((await self.post("update", **update))["update_id"])

    async def clock(self, after: int | None = None) -> Json:
        """The clock; with `after` a long poll, which acknowledges that version."""
        return await self.get("clock", after=after)

    async def advance(self, seconds: float) -> Json:
        """Move the clock forward."""
        return await self.post("clock", advance=seconds)

    async def move_to(self, moment: float | str) -> Json:
        """Move the clock to a moment: Unix seconds or an ISO time."""
        return await self.post("clock", to=moment)

    async def fault(self, method: str, **fault: Any) -> int:
        """Order a fault: `code`, `description`, `parameters`, `chat`, `times`, `after`, `delay`."""
        return int((await self.post("faults", method=method, **fault))["id"])

    async def clear_faults(self) -> None:
        """No more faults."""
        _result(await self.http.delete("/control/faults"))

    async def switch(self, **switches: bool) -> Json:
        """`limits`, `privacy`."""
        return await self.post("switches", **switches)

    async def calls(
        self,
        after: int | None = None,
        *,
        method: str | None = None,
        count: int | None = None,
        timeout: float = 10.0,  # noqa: ASYNC109
    ) -> list[Json]:
        """What the bot called (of one method); with `count` once there are so many, ControlError if not in time."""
        given = {} if count is None else {"count": count, "timeout": timeout}
        made = cast(list[Json], await self.get("calls", after=after, method=method, **given))
        if count is not None and len(made) < count:
            raise ControlError(f"{len(made)} calls of {method or 'any method'} in {timeout} s, not {count}")
        return made

    async def struck(self, timeout: float = 10.0) -> None:  # noqa: ASYNC109
        """Wait until the bot has met with every fault; raises ControlError if it does not in time."""
        left = await self.get("faults", timeout=timeout)
        if left:
            raise ControlError(f"not met with in {timeout} s: {left}")

    async def wait(self, chat: int, text: str = "", *, after: int = 0, timeout: float = 10.0, **more: Any) -> Json:  # noqa: ASYNC109
        """The first message newer than a version whose text matches; raises ControlError when none comes in time."""
        given = {"chat": chat, "text": text, "after": after, "timeout": timeout, **more}
        found: Json = await self.get("wait", **given)
        if found["message"] is None:
            seen = [one.get("text") or one.get("caption") for one in await self.messages(chat, after=after)]
            raise ControlError(f"no message matched {text!r} in {timeout} s; newer than {after} there were {seen}")
        message: Json = found["message"]
        return message

    async def idle(self, timeout: float = 10.0) -> bool:  # noqa: ASYNC109
        """Wait until the bot has nothing to do."""
        return bool((await self.get("idle", timeout=timeout))["idle"])


def _result(response: httpx.Response) -> Json:
    result: Any = response.json()
    if response.status_code >= 400:
        raise ControlError(result.get("error", f"HTTP {response.status_code}"))
    return cast(Json, result)
