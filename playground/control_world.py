"""Control calls about time, faults, switches and the log of calls."""

from datetime import UTC, datetime
from typing import Any

from playground.control import Control, Request, call
from playground.hub import EventKind
from playground.people import Refused
from playground.wire import Json


@call("GET", "clock")
async def clock(control: Control, r: Request) -> Json:
    """The clock, or a long poll for its next move."""
    if r.has("after"):
        await control.api.clock.poll(r.needed_integer("after"))
    return control.clock_json()


@call("POST", "clock")
async def move_clock(control: Control, r: Request) -> Json:
    """Move the clock forward."""
    if r.has("to"):
        seconds = _moment(r.values["to"]) - control.api.clock.now()
    else:
        seconds = r.number("advance", 0.0) if r.need("advance") is not None else 0.0
    if seconds < -1:
        raise Refused("the clock only goes forward")
    await control.api.clock.move(max(seconds, 0.0))
    control.api.hub.publish(EventKind.CLOCK)
    return control.clock_json()


def _moment(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        pass
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        raise Refused(f"'to' is Unix seconds or an ISO time, not {value!r}") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


@call("POST", "faults")
async def new_fault(control: Control, r: Request) -> Json:
    """Order a fault."""
    fault = control.api.faults.order(
        str(r.need("method")),
        chat=r.integer("chat"),
        code=r.integer("code"),
        description=str(r.values.get("description") or ""),
        parameters=r.values.get("parameters"),
        times=r.integer("times") or 1,
        after=r.flag("after"),
        delay=r.number("delay", 0.0),
    )
    return {"id": fault.id}


@call("GET", "faults")
async def faults(control: Control, r: Request) -> list[Json]:
    """The faults that wait; with `timeout` once the bot has met with all of them."""
    if r.has("timeout"):
        await control.api.until(lambda: not control.api.faults.waiting, r.number("timeout", 10.0))
    return [one.shown() for one in control.api.faults.waiting]


@call("DELETE", "faults")
async def no_faults(control: Control, r: Request) -> Json:
    """Forget all faults."""
    control.api.faults.waiting.clear()
    return {}


@call("POST", "switches")
async def switch(control: Control, r: Request) -> Json:
    """Turn limits or the privacy mode on or off."""
    if r.values.get("limits") is not None:
        control.api.limits.on = r.flag("limits")
    if r.values.get("privacy") is not None:
        control.api.privacy = r.flag("privacy")
    control.api.world.state_changed()
    return control.switches()


@call("GET", "calls")
async def calls(control: Control, r: Request) -> list[Json]:
    """What the bot called; with `timeout` once there are `count` of them."""
    after, method = r.integer("after") or 0, str(r.values.get("method") or "").lower()

    def made() -> list[Json]:
        return [one for one in control.api.calls if one["n"] > after and method in ("", one["method"].lower())]

    if r.has("timeout"):
        count = r.integer("count") or 1
        await control.api.until(lambda: len(made()) >= count, r.number("timeout", 10.0))
    return made()


@call("GET", "idle")
async def idle(control: Control, r: Request) -> Json:
    """Whether the bot has come to rest."""
    quiet = r.number("quiet", 0.15)
    return {"idle": await control.api.idle(r.number("timeout", 10.0), quiet)}
