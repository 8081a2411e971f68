"""Faults on order: the next call of a method is refused, delayed, or done and then refused."""

from dataclasses import dataclass
from itertools import count

from playground.wire import ApiError, ConnectionLost, Json


@dataclass(slots=True)
class Fault:
    """One ordered fault.

    `code` 0 breaks the connection instead of answering. `after`: the call is done and only then refused, which is how
    a lost answer looks. `delay` is real seconds before the call (or, with `after`, before the refusal).
    A fault with no code at all only delays.
    """

    id: int
    method: str
    chat: int | None
    code: int | None
    description: str
    parameters: Json | None
    times: int
    after: bool
    delay: float

    def shown(self) -> Json:
        """The fault for the control API."""
        return {
            "id": self.id,
            "method": self.method,
            "chat": self.chat,
            "code": self.code,
            "description": self.description,
            "parameters": self.parameters,
            "times": self.times,
            "after": self.after,
            "delay": self.delay,
        }

    def strike(self) -> None:
        """Raise what was ordered."""
        match self.code:
            case None:
                return
            case 0:
                raise ConnectionLost(self.description)
            case code:
                raise ApiError(code, self.description, self.parameters)


class Faults:
    """The list of ordered faults, oldest first."""

    def __init__(self) -> None:
        self.waiting: list[Fault] = []
        self._ids = count(1)

    def order(
        self,
        method: str,
        *,
        chat: int | None = None,
        code: int | None = None,
        description: str = "",
        parameters: Json | None = None,
        times: int = 1,
        after: bool = False,
        delay: float = 0.0,
    ) -> Fault:
        """Order a fault for the next `times` calls of `method` (`*`: of any) in `chat` (None: in any)."""
        fault = Fault(next(self._ids), method, chat, code, description, parameters, times, after, delay)
        self.waiting.append(fault)
        return fault

    def take(self, method: str, chat: int | None) -> Fault | None:
        """The first fault that fits this call; it is used up by one."""
        for fault in self.waiting:
            if fault.method not in ("*", method) and fault.method.lower() != method.lower():
                continue
            # Long polling is a wire, not an act: only a fault that names it breaks it.
            if fault.method == "*" and method.lower() == "getupdates":
                continue
            if fault.chat is not None and fault.chat != chat:
                continue
            fault.times -= 1
            if fault.times <= 0:
                self.waiting.remove(fault)
            return fault
        return None
