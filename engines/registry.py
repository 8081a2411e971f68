"""The games of the house. A new one is registered by one line in `REGISTRY`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar, cast

from engines import sea_battle
from engines.contract import Action, Engine, Event, Options, State, View

AnyEngine: TypeAlias = Engine[State, Action, Event, View, Options]
"""An engine whose game is not known to who uses it: values go back only to the engine that gave them."""

S = TypeVar("S", bound=State)
A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V", bound=View)
O = TypeVar("O", bound=Options)  # noqa: E741


def erased(engine: Engine[S, A, E, V, O]) -> AnyEngine:
    """The same engine, its game forgotten. For the registry and whoever holds engines of several games."""
    return cast(AnyEngine, engine)


REGISTRY: Final[Mapping[str, AnyEngine]] = MappingProxyType(
    {
        sea_battle.ENGINE.name: erased(sea_battle.ENGINE),
    }
)
"""Engines by name."""
