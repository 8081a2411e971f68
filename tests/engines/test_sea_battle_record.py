"""The record: both its forms read back to the same, a replay finds every change, an open one tells no secret."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engines.chance import Chance, Dice
from engines.cli import main
from engines.contract import dump
from engines.sea_battle import ENGINE
from engines.sea_battle.fleet import random_fleet
from engines.sea_battle.forum import ForumError, read_forum, write_forum
from engines.sea_battle.forum_words import TONGUES
from engines.sea_battle.model import (
    Columns,
    ConfirmFleet,
    Delegate,
    DraftFleet,
    Eliminate,
    Fleet,
    OutReason,
    PlayerOut,
    Revealed,
    SeaAction,
    SeaEvent,
    SeaOptions,
    Shoot,
    ShotFired,
    Start,
)
from engines.sea_battle.notation import write as notation
from engines.sea_battle.record import Line, LineKind, Record, from_json, open_form, to_json
from engines.sea_battle.replaying import check
from engines.sea_battle.selfplay import play
from tests.engines.sea_table import FLEET, WATER, Table

MOSCOW = timezone(timedelta(hours=3))
NOON = datetime(2027, 3, 5, 12, tzinfo=MOSCOW)
NAMES = ("ZimA", "Адвокат", "Вирт", "Юнга", "Mirra", "Боцман Палыч", "Кот77", "Sova_2", "Дед Мороз", "Пират")


def record_of(seed: str, people: int, options: SeaOptions | None = None) -> Record:
    """A careless match played to its end."""
    played, _ = play(seed, people, options)
    state, events = ENGINE.new(played.infos, played.options, played.seed)
    at = NOON
    lines = [Line(at, LineKind.DRAW, events=events)]
    for act in played.acts:
        at += timedelta(seconds=61.5)
        if act.action is None:
            state, events = ENGINE.expire(state)
            lines.append(Line(at, LineKind.CLOCK, events=events, started=at - timedelta(hours=18), due=at))
        else:
            state, events = ENGINE.apply(state, act.seat, act.action)
            lines.append(
                Line(at, LineKind.ACT, act.seat, act.action, events, by="" if act.seat is not None else "ZimA")
            )
    names = tuple(NAMES[seat] if seat < len(NAMES) else f"Матрос {seat}" for seat in range(len(state.players)))
    return Record(
        match=7,
        whole=True,
        rules_version=1,
        options=played.options,
        names=names,
        lines=tuple(lines),
        seed=played.seed,
        lots=played.infos,
        outcome=ENGINE.outcome(state),
    )


@pytest.fixture(scope="module")
def records() -> list[Record]:
    latin = SeaOptions(columns=Columns.LATIN, results_at_once=True)
    return [record_of(f"record {n}", 2 + 2 * (n % 5)) for n in range(10)] + [record_of("record in English", 6, latin)]


# --- There and back -------------------------------------------------------------------------------


def test_json_reads_back_to_the_same_record(records: list[Record]) -> None:
    for record in records:
        assert from_json(to_json(record)) == record
        assert from_json(to_json(open_form(record))) == open_form(record)


def test_the_text_reads_back_to_the_same_record(records: list[Record]) -> None:
    for record in records:
        assert read_forum(write_forum(record)) == record
        assert read_forum(write_forum(open_form(record))) == open_form(record)


def test_a_match_is_told_in_words_alone(records: list[Record]) -> None:
    """The braces of JSON stand in the header and nowhere else."""
    for record in records:
        _, _, acts = write_forum(record).partition("\n\n")
        assert "{" not in acts


def test_the_text_is_what_players_know_from_forums() -> None:
    table = Table(2)
    shooter, mate = table.red
    target, other = table.blue
    names = [""] * 4
    for seat, name in zip((shooter, mate, target, other), ("ZimA", "Юнга", "Адвокат", "Mirra"), strict=True):
        names[seat] = name
    lines = []
    for seat, action in (
        (mate, Delegate()),
        (shooter, Shoot(target, 30)),
        (shooter, Shoot(other, 53, mate)),
    ):
        events = table.do(seat, action)
        lines.append(Line(NOON, LineKind.ACT, seat, action, events))
    text = write_forum(Record(1, False, 1, SeaOptions(), tuple(names), tuple(lines)))

    for expected in (
        "] ZimA: То Адвокат - А4\n",
        "] За Юнга: То Mirra - Г6 (Адмирал ZimA)\nКРАСНЫЕ СДЕЛАЛИ ХОД (ход 1)\n",
        "Адвокат: - мимо (ZimA, А4)\n",
        "\nХОД ЗА СИНИМИ (ход 2): ",
        "[2027-03-05 12:00:00+03:00] Юнга: Передаю ход Адмиралу\n",
    ):
        assert expected in text, text


def test_a_shot_is_written_as_players_write_it() -> None:
    called = {0: "ZimA", 1: "Mirra", 2: "Sova"}
    for columns in Columns:
        for action in (Shoot(1, 30), Shoot(1, 99, 2)):
            shot = ShotFired(0 if action.on_behalf is None else action.on_behalf, 0, action.target, action.cell)
            line = Line(NOON, LineKind.ACT, 0, action, (shot,))
            text = write_forum(Record(1, False, 1, SeaOptions(columns=columns), tuple(called.values()), (line,)))
            assert notation(action, called, columns) in text


names = st.lists(
    st.text(max_size=30)
    | st.sampled_from(["ZimA", "Рефери", "То", 'a"b', "А4", "x: То y - А4", "\n[", "a, b", "#1", "ZimA#1", "{}", "—"]),
    min_size=2,
    max_size=2,
)


@settings(deadline=None, max_examples=150)
@given(names=names, by=st.text(max_size=20), note=st.text(max_size=40))
def test_whatever_people_are_called_the_text_reads_back(names: list[str], by: str, note: str) -> None:
    for columns in Columns:
        record = _short(columns)
        lines = (*record.lines, Line(NOON, LineKind.NOTE, note=note))
        lines = tuple(replace(line, by=by) for line in lines)
        named = replace(record, names=tuple(names), lines=lines, seed=note)
        assert read_forum(write_forum(named)) == named
        assert from_json(to_json(named)) == named


_SHORT: dict[Columns, Record] = {}


def _short(columns: Columns) -> Record:
    if columns not in _SHORT:
        _SHORT[columns] = record_of("short", 2, SeaOptions(columns=columns))
    record = _SHORT[columns]
    keep = (*record.lines[:12], *record.lines[-4:])
    return replace(record, lines=tuple(line for line in keep if _seats(line) <= 2))


def _seats(line: Line) -> int:
    """A line is kept if it speaks of the first two seats alone."""
    return 2 if not any(type(event).__name__.startswith("Pair") for event in line.events) else 3


instants = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001
seats = st.integers(0, 3)


@settings(deadline=None, max_examples=300)
@given(
    line=st.builds(
        Line,
        at=instants,
        kind=st.just(LineKind.ACT),
        seat=st.none() | seats,
        action=st.from_type(SeaAction),
        events=st.lists(st.from_type(SeaEvent), max_size=3).map(tuple),
        undone=st.booleans(),
    ),
    columns=st.sampled_from(Columns),
)
def test_any_act_and_any_events_read_back_even_those_that_no_match_has(line: Line, columns: Columns) -> None:
    record = Record(1, True, 1, SeaOptions(columns=columns), NAMES[:4], (line,))
    assert read_forum(write_forum(record)) == record
    assert from_json(to_json(record)) == record


def test_a_text_from_a_forum_may_have_other_line_ends_and_empty_lines(records: list[Record]) -> None:
    text = "\ufeff" + write_forum(records[1]).replace("\n", "  \r\n").replace("\r\n[", "\r\n\r\n[")
    assert read_forum(text) == records[1]


@settings(deadline=None)
@given(st.text() | st.text().map(lambda tail: write_forum(_short(Columns.CYRILLIC)) + tail))
def test_a_text_that_is_no_record_is_refused(text: str) -> None:
    try:
        record = read_forum(text)
    except ForumError:
        return
    assert read_forum(write_forum(record)) == record


def test_each_language_has_a_phrase_for_everything() -> None:
    for tongue in TONGUES.values():
        assert {phrase.type for phrase in tongue.events} == set(SeaEvent.__args__)
        assert {phrase.type for phrase in tongue.acts} == {*SeaAction.__args__, type(None)}


def test_an_instant_without_an_offset_is_refused(records: list[Record]) -> None:
    with pytest.raises(ForumError, match="offset"):
        read_forum(write_forum(records[0]).replace("+03:00]", "]", 1))
    with pytest.raises(ValueError, match="offset"):
        from_json(to_json(records[0]).replace("12:00:00+03:00", "12:00:00"))


# --- Replay ---------------------------------------------------------------------------------------


def test_a_full_record_played_again_agrees(records: list[Record]) -> None:
    for record in records:
        verdict = check(record)
        assert verdict.differences == ()
        assert verdict.outcome == record.outcome


def test_an_open_record_agrees_with_what_can_be_known_at_every_moment(records: list[Record]) -> None:
    for record in records:
        for length in range(1, len(record.lines), 7):
            so_far = replace(record, lines=record.lines[:length], outcome=None)
            assert check(open_form(so_far)).differences == ()


def _changed(record: Record, number: int, **changes: object) -> Record:
    line = replace(record.lines[number], **changes)
    return replace(record, lines=(*record.lines[:number], line, *record.lines[number + 1 :]))


def _shots(record: Record) -> Iterator[int]:
    for number, line in enumerate(record.lines):
        if isinstance(line.action, Shoot):
            yield number


def test_every_change_of_a_full_record_is_found(records: list[Record]) -> None:
    record = records[1]
    shot = next(_shots(record))
    aimed = record.lines[shot].action
    assert isinstance(aimed, Shoot)
    revealed = record.lines[-1].events[-1]
    assert isinstance(revealed, Revealed)
    swapped = replace(revealed, fleets=(random_fleet(Dice("another")), *revealed.fleets[1:]))
    for changed in (
        replace(record, seed="another"),
        replace(record, lots=record.lots[::-1], options=replace(record.options, results_at_once=True)),
        replace(record, outcome=None),
        replace(record, lines=record.lines[:-1]),
        replace(record, lines=record.lines[1:]),
        replace(record, lines=(*record.lines, record.lines[-1])),
        _changed(record, shot, action=replace(aimed, cell=(aimed.cell + 1) % 100)),
        _changed(record, shot, events=()),
        _changed(record, shot, undone=True),
        _changed(record, shot, action=None),
        _changed(record, len(record.lines) - 1, events=(*record.lines[-1].events[:-1], swapped)),
    ):
        assert check(changed).differences


def test_an_open_record_that_cannot_be_is_found(records: list[Record]) -> None:
    full = records[1]
    record = open_form(replace(full, outcome=None))
    shot = next(_shots(record))
    fired = record.lines[shot].events[0]
    assert isinstance(fired, ShotFired)
    for changed in (
        replace(record, seed="known"),
        replace(record, lines=full.lines),
        _changed(record, shot, events=()),
        _changed(record, shot, events=(fired, fired)),
        _changed(record, shot, events=(replace(fired, target=fired.shooter),)),
        replace(record, lines=(*record.lines, record.lines[shot])),
    ):
        assert check(changed).differences


def test_what_the_referee_took_back_is_left_out_of_the_replay() -> None:
    record = record_of("undo", 4)
    taken_back = Line(NOON, LineKind.ACT, None, Eliminate(0), (PlayerOut(0, OutReason.REFEREE),), undone=True)
    note = Line(NOON, LineKind.NOTE, note="Рефери отменил последнее решение")
    record = replace(record, lines=(*record.lines[:3], taken_back, note, *record.lines[3:]))
    assert check(record).differences == ()
    assert read_forum(write_forum(record)) == record
    assert " · отменено] Рефери: ZimA выбывает\n" in write_forum(record)


# --- Secrets --------------------------------------------------------------------------------------


OTHER: Fleet = random_fleet(Dice("quite another fleet"))


def _running(fleet: Fleet, *, cell: int, seed: str) -> Record:
    """Two pairs, a shot in flight at red[0], whose fleet is `fleet`."""
    table = Table(2, started=False)
    hidden = table.red[0]
    lines = [Line(NOON, LineKind.DRAW, events=table.events)]

    def do(seat: int | None, action: SeaAction) -> None:
        lines.append(Line(NOON, LineKind.ACT, seat, action, table.do(seat, action)))

    for seat in range(4):
        if seat == hidden:
            for end in range(5 if fleet is OTHER else 2):
                do(seat, DraftFleet(fleet[:end]))
        do(seat, DraftFleet(fleet if seat == hidden else FLEET))
        do(seat, ConfirmFleet())
    do(None, Start())
    # The seals are meant to differ: they commit to the fleets.
    started = lines[-1]
    lines[-1] = replace(
        started, events=tuple(replace(e, hashes=()) if hasattr(e, "hashes") else e for e in started.events)
    )
    table.state = replace(table.state, chance=Chance("the same"))
    for seat in table.red:
        do(seat, Shoot(table.state.players[seat].pair, WATER[0]))
    do(table.blue[0], Shoot(hidden, cell))
    return Record(1, True, 1, SeaOptions(), NAMES[:4], tuple(lines), seed=seed, lots=())


def test_an_open_record_is_the_same_whatever_is_hidden() -> None:
    """Another fleet, another number of drafts, another seed; the shot in flight hits in one and misses in the other."""
    decks = {cell for ship in FLEET for cell in ship.cells()}
    others = {cell for ship in OTHER for cell in ship.cells()}
    for cell in (min(decks - others), min(others - decks), min(decks & others)):
        one, other = _running(FLEET, cell=cell, seed="one"), _running(OTHER, cell=cell, seed="other")
        assert write_forum(open_form(one)) == write_forum(open_form(other))
        assert to_json(open_form(one)) == to_json(open_form(other))
        assert to_json(one) != to_json(other)


def test_an_open_record_names_no_draft_no_fleet_and_no_seed(records: list[Record]) -> None:
    for record in records:
        written = write_forum(open_form(record)) + to_json(open_form(record))
        assert record.seed not in written
        assert '"draft' not in written
        assert '"random"' not in written
        assert "salts" not in written
        for event in record.lines[-1].events:
            if isinstance(event, Revealed):
                assert not any(salt in written for salt in event.salts if salt)


# --- Command line ---------------------------------------------------------------------------------


def test_both_files_are_replayed_by_the_command_line(
    tmp_path: Path, records: list[Record], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record"
    for text in (write_forum(records[2]), to_json(records[2])):
        path.write_text(text, encoding="utf-8")
        assert main(["replay", "sea_battle", str(path)]) == 0
        printed = capsys.readouterr().out
        assert "match 7" in printed
        assert f"{len(records[2].lines)} lines" in printed
        assert " 0 different\noutcome: " in printed
    path.write_text(write_forum(open_form(records[2])), encoding="utf-8")
    assert main(["replay", "sea_battle", str(path)]) == 0
    assert "open record" in capsys.readouterr().out


def test_a_forged_file_ends_with_one_and_a_file_that_is_no_record_with_two(
    tmp_path: Path, records: list[Record], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "record.txt"
    forged = json.loads(to_json(records[2]))
    forged["record"]["seed"] = "forged"
    path.write_text(json.dumps(forged), encoding="utf-8")
    assert main(["replay", "sea_battle", str(path)]) == 1
    assert "DIFF  line " in capsys.readouterr().out
    forged["record"]["rules_version"] = 99
    for text in ("", "{}", "no record", json.dumps(forged), json.dumps({"game": "chess", "record": {}})):
        path.write_text(text, encoding="utf-8")
        assert main(["replay", "sea_battle", str(path)]) == 2
        assert capsys.readouterr().err.startswith("python -m engines:")


def test_a_record_of_another_game_is_refused(records: list[Record]) -> None:
    with pytest.raises(ValueError, match="chess"):
        from_json(msgspec.json.encode({"game": "chess", "record": json.loads(dump(replace(records[0], game="chess")))}))
