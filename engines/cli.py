"""The analyst's command line: `python -m engines COMMAND …`.

Each game brings its own commands in `engines/<game>/cli.py`, by a function `register(commands)`. A command is either
the game's alone (`random-fleets 2000`) or one that several games have (`read sea_battle FILE`). It exits with 0 only
when all that it checked agrees, with 1 when something differs, with 2 when it could not run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, cast

import msgspec

from engines.registry import REGISTRY

Run = Callable[[argparse.Namespace], int]
"""What a command does with its arguments; gives the exit code."""


class Commands:
    """Where games register their commands."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._top = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
        self._shared: dict[str, argparse._SubParsersAction[argparse.ArgumentParser]] = {}

    def add(self, name: str, run: Run, text: str) -> argparse.ArgumentParser:
        """A command of one game; its arguments are added to what this gives."""
        parser = self._top.add_parser(name, help=text, description=text)
        parser.set_defaults(run=run)
        return parser

    def add_for(self, game: str, name: str, run: Run, text: str) -> argparse.ArgumentParser:
        """A command that other games may have as well: `NAME GAME …`."""
        if name not in self._shared:
            shared = self._top.add_parser(name, help=text, description=text)
            self._shared[name] = shared.add_subparsers(title="games", metavar="GAME", required=True)
        parser = self._shared[name].add_parser(game, help=text, description=text)
        parser.set_defaults(run=run)
        return parser


class _Module(Protocol):
    def register(self, commands: Commands) -> None: ...


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command (by default the process's own arguments) and gives its exit code."""
    parser = argparse.ArgumentParser(prog="python -m engines", description="The engines of the house, for analysts.")
    commands = Commands(parser)
    for game in REGISTRY:
        if find_spec(f"engines.{game}.cli") is not None:
            cast(_Module, import_module(f"engines.{game}.cli")).register(commands)
    try:
        given = parser.parse_args(arguments)
    except SystemExit as stop:  # --help, or arguments that are none
        return stop.code if isinstance(stop.code, int) else 2
    run: Run = given.run
    try:
        return run(given)
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
