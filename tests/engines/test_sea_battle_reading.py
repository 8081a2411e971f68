"""Rules, «How a shot is written»: what a message is, and above all what it is not."""

import re
import unicodedata
from pathlib import Path

import msgspec
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from engines.sea_battle.cells import LETTERS, cell_name, cell_of, plain
from engines.sea_battle.cli import Case, describe
from engines.sea_battle.meaning import (
    AskCells,
    AskNick,
    AskOpponent,
    Attach,
    NotAMove,
    OnBehalf,
    Reading,
    RefuseColumn,
    RefuseOpponent,
    RefuseRow,
    Report,
    ReportAndMove,
    Said,
    Several,
    Shot,
    Table,
    table_of,
)
from engines.sea_battle.model import Attach as AttachAction
from engines.sea_battle.model import (
    Columns,
    Delegate,
    Phase,
    PlayerView,
    Result,
    SeaOptions,
    SeaView,
    Shoot,
    Team,
    Withdraw,
)
from engines.sea_battle.nicks import Person, typeable
from engines.sea_battle.notation import action_of, write, write_report
from engines.sea_battle.reading import read

DATA = Path(__file__).parents[1] / "data"
CASES = [
    msgspec.json.decode(line, type=Case) for line in (DATA / "sea_moves.jsonl").read_text(encoding="utf-8").splitlines()
]

ONLY_IF_ADDRESSED = {
    "33": "NOT_A_MOVE",
    ",2": "NOT_A_MOVE",
    "10 10": "NOT_A_MOVE",
    "восемь четыре": "NOT_A_MOVE",
    "и 5": "NOT_A_MOVE",
    "а давай К3": "ASK К3",
}
"""What plain talk is read as, where it differs from a message to the bot."""

NAMES = {0: "Адвокат", 1: "Юнга", 2: "Боцман", 3: "ZimA", 4: "Вирт", 5: "Mirra"}


def reading(text: str, *, addressed: bool = False, columns: Columns = Columns.CYRILLIC) -> str:
    """What a message of Адвокат, whose opponent is ZimA, is read as."""
    case = Case(text=text, expect="", columns=columns, addressed=addressed)
    table, names = case.table()
    return describe(read(text, table), names, columns)


def table(
    *opponents: Person,
    others: tuple[Person, ...] = (),
    allies: tuple[Person, ...] = (),
    columns: Columns = Columns.CYRILLIC,
    addressed: bool = False,
) -> Table:
    """A table where seat 0 («Я») may shoot at `opponents`."""
    me = Person(0, ("Я сам",), tuple(person.seat for person in opponents))
    return Table(me, allies, (*opponents, *others), columns, addressed)


@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case.text))
def test_a_message_to_the_bot_is_read_as_the_rules_have_it(case: Case) -> None:
    seats, names = case.table()
    assert describe(read(case.text, seats), names) == case.expect


@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case.text))
def test_plain_talk_is_read_alike_but_for_what_nobody_says_to_shoot(case: Case) -> None:
    seats, names = msgspec.structs.replace(case, addressed=False).table()
    assert describe(read(case.text, seats), names) == ONLY_IF_ADDRESSED.get(case.text, case.expect)


@pytest.mark.parametrize(
    "text",
    [
        "к 8 вечера буду", "приду в 5", "К8:30", "в 10:30", "к 8", "а 4 где?", "14.10.2009", "+7 999 123-45-67",
        "А4 не надо", "может А4?", "купи бумагу А4", "лист А4", "ZimA стрелял в А4", "если мимо, К8", "не мимо",
        "нет, А4", "то есть А4", "Юнга, А4!", "ZimA к 8 придёт", "see you at 5", "Т-34", "т34", "с 3 до 5", "у 7",
        "А4-5", "А4,5", "А1 0", "За Юнгу!", "А4 за Юнгу", "А4 за 5 минут", "передаю ход", "не передаю ход Адмиралу",
        "Боцман против Вирта проиграл", "ZimA - А4 уже было", "> То ZimA - А4", "", "   ", "\n", "?", "/status А4",
        "/help", "Адвокат - А4", "А" * 2000 + "4",
    ],
)  # fmt: skip
def test_plain_talk_gets_no_answer(text: str) -> None:
    assert reading(text) == "NOT_A_MOVE"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("К 8", "ASK К8"),
        ("А4?", "ASK А4"),
        ("То ZimA - А4?", "ASK А4"),
        ("А4...", "ASK А4"),
        ("А4 🤔", "ASK А4"),
        ("А - 4", "ASK А4"),
        ("ZimA к 8", "ASK К8"),
        ("А4 ZimA", "ASK А4"),
        ("мимо К8", "REPORT miss + ASK К8"),
        ("К8\nмимо", "REPORT miss + ASK К8"),
        ("То ZimA - А4\nВсем удачи!", "ASK А4"),
        ("Привет! То ZimA - А4", "ASK А4"),
        ("«То ZimA - А4»", "ASK А4"),
        ("То ZimA - А4, А5", "ASK А4 / А5"),
        ("А4\nЗа победу!", "ASK А4"),
        ("передаю ход Адмиралу, я уехал", "ASK delegate"),
    ],
)
def test_a_shot_in_doubt_is_asked_about_even_in_plain_talk(text: str, asked: str) -> None:
    assert reading(text) == asked


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("в 5", "ASK В5"),
        ("может А4?", "ASK А4"),
        ("лист А4", "ASK А4"),
        ("То ZimA", "ASK cell"),
        ("Боцман против Вирта?", "ASK attach"),
        ("Юнга А4", "REFUSE opponent"),
        ("передаю ход", "DELEGATE"),
    ],
)
def test_a_message_to_the_bot_is_heard_more_eagerly(text: str, asked: str) -> None:
    assert reading(text) == "NOT_A_MOVE"
    assert reading(text, addressed=True) == asked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("стреляю в А4", "SHOT ZimA А4"),
        ("огонь по А4!", "SHOT ZimA А4"),
        ("мой ход: А4", "SHOT ZimA А4"),
        ("бью ZimA А4", "SHOT ZimA А4"),
        ("А-4", "SHOT ZimA А4"),
        ("То ZimA - А-4", "SHOT ZimA А4"),
        ("А4 пожалуйста", "SHOT ZimA А4"),
        ("Ａ４", "SHOT ZimA А4"),
        ("/shot к 8", "SHOT ZimA К8"),
        ("/shot@referee_bot ZimA А4", "SHOT ZimA А4"),
        ("/shot", "ASK cell"),
        ("/shot куда-нибудь", "ASK cell"),
        ("/delegate", "DELEGATE"),
        ("Передаю право своего хода Адмиралу!", "DELEGATE"),
        ("I delegate my turn to the Admiral", "DELEGATE"),
        ("- мимо. Передаю ход Адмиралу", "REPORT miss + DELEGATE"),
        ("забираю ход", "WITHDRAW"),
        ("я продолжаю игру против Вирта", "ATTACH Адвокат -> Вирт"),
        ("А4 мимо, Б5 ранил", "REPORT miss, hit"),
        ("Вирт А4", "REFUSE opponent"),
    ],
)
def test_other_ways_to_say_it(text: str, expected: str) -> None:
    assert reading(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("To ZimA - A4", "SHOT ZimA A4"),
        ("C10", "SHOT ZimA C10"),
        ("miss", "REPORT miss"),
        ("F5: HIT", "REPORT hit"),
        ("- sunk", "REPORT sunk"),
        ("Боцман continues against Mirra", "ATTACH Боцман -> Mirra"),
        ("For Юнга: To Mirra - G6", "FOR Юнга: SHOT Mirra G6"),
        ("А4", "ASK A4"),
        ("В4", "ASK B4 / C4"),
        ("K4", "REFUSE column"),
        ("I 5", "ASK I5"),
        ("33", "NOT_A_MOVE"),
    ],
)
def test_at_a_table_with_latin_columns_letters_mean_themselves(text: str, expected: str) -> None:
    assert reading(text, columns=Columns.LATIN) == expected


# --- Quotations -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ZimA писал:\n\nАдвокат - А4\n\n- мимо\nТо ZimA - К8", "REPORT miss + SHOT ZimA К8"),
        ("ZimA писал(а):\nАдвокат - А4\n- мимо\nТо ZimA - К8", "REPORT miss + SHOT ZimA К8"),
        ("> Адвокат - А4\nмимо, К8", "REPORT miss + SHOT ZimA К8"),
        ("Адвокат - А4\n- мимо\nТо ZimA - К8", "REPORT miss + SHOT ZimA К8"),
    ],
)
def test_a_quoted_shot_is_not_fired_and_the_answer_is(text: str, expected: str) -> None:
    assert reading(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Боцман писал:\n\n- мимо\n\nТо ZimA - К8",  # a team-mate's post with an empty line in it
        "Боцман писал:\n\nБоцман - А4\n\n- мимо\nТо ZimA - К8",
        "ZimA писал:\n\nАдвокат - А4\n\nК8",
    ],
)
def test_what_may_be_quoted_is_asked_about(text: str) -> None:
    assert reading(text).endswith("ASK К8")


def test_a_quotation_without_an_answer_is_no_move() -> None:
    assert reading("Боцман писал:\nТо ZimA - К8") == "NOT_A_MOVE"


# --- Nicks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("nick", "typed"),
    [
        ("Юнга", "Юнгу"), ("Вирт", "Вирта"), ("Адвокат", "Адвокату"), ("Дед Мороз", "Деда Мороза"),
        ("Андрей", "Андрею"), ("Павел", "Павла"), ("Мария", "Марию"), ("Пётр", "Петра"), ("Гость", "Гостя"),
        ("Mirra", "МIRRА"), ("ZimA", "@zima"), ("@zima_77", "zima_77"), ("Кот 🐱", "кот🐱"), ("R2-D2", "r2–d2"),
    ],
)  # fmt: skip
def test_a_nick_is_known_in_another_case_script_or_dash(nick: str, typed: str) -> None:
    found = read(f"То {typed} - А4", table(Person(3, (nick,))))
    assert isinstance(found, Shot)
    assert (found.target, found.cell) == (3, 30)


def test_only_what_was_typed_to_the_letter_need_not_be_said_back() -> None:
    seats = table(Person(3, ("Вирт",)))
    assert read("То Вирт - А4", seats) == Shot(3, 30, as_typed=True)
    assert read("То вирт - а4", seats) == Shot(3, 30, as_typed=True)
    assert read("То Вирту - А4", seats) == Shot(3, 30, as_typed=False)
    assert read("То Вирт - A4", seats) == Shot(3, 30, as_typed=False)


def test_a_person_is_known_by_name_and_by_username() -> None:
    seats = table(Person(3, ("Анна", "@anna_k")), Person(4, ("Вирт",)))
    assert read("То Анна - А4", seats) == Shot(3, 30)
    assert read("@anna_k А4", seats) == Shot(3, 30)


def test_two_opponents_of_one_name_are_asked_about() -> None:
    seats = table(Person(3, ("Анна",)), Person(4, ("Анна", "@anna_k")))
    assert read("То Анна - А4", seats) == AskNick((3, 4), "Анна", 30)
    assert read("@anna_k А4", seats) == Shot(4, 30)


def test_of_two_of_one_name_the_opponent_is_meant() -> None:
    assert read("То Анна - А4", table(Person(3, ("Анна",)), allies=(Person(7, ("Анна",)),))) == Shot(3, 30)


def test_a_form_that_is_two_nicks_is_asked_about() -> None:
    seats = table(Person(3, ("Вирт",)), Person(4, ("Вирта",)))
    assert read("То Вирта - А4", seats) == AskNick((3, 4), "Вирта", 30)
    assert read("То Вирт - А4", seats) == Shot(3, 30)


def test_another_who_bears_the_typed_nick_makes_it_doubtful() -> None:
    seats = table(Person(3, ("Вирт",)), others=(Person(4, ("Вирта",)),))
    assert read("То Вирта - А4", seats) == AskNick((3,), "Вирта", 30)


def test_the_longest_nick_is_meant() -> None:
    seats = table(Person(3, ("Дед",)), Person(4, ("Дед Мороз",)), Person(5, ("Дед - А4",)))
    assert read("То Дед Мороз - Б2", seats) == Shot(4, 11)
    assert read("То Дед - Б2", seats) == Shot(3, 11)
    assert read("То Дед - А4 - Б2", seats) == Shot(5, 11)


def test_without_a_nick_several_opponents_are_asked_about_and_none_is_refused() -> None:
    assert read("А4", table(Person(3, ("Вирт",)), Person(4, ("Кот",)))) == AskOpponent((3, 4), 30)
    assert read("B4", table(Person(3, ("Вирт",)), Person(4, ("Кот",)))) == AskCells((32, 31))
    assert read("А4", table()) == NotAMove()
    assert read("А4", table(addressed=True)) == RefuseOpponent(None, ())


def test_a_refusal_says_what_would_be_right() -> None:
    seats = table(Person(3, ("Вирт",)), others=(Person(4, ("Кот",)),))
    assert read("То Вирт - Ф4", seats) == RefuseColumn("Ф4", "АБВГДЕЖЗИК")
    assert read("То Вирт - К11", seats) == RefuseRow("К11")
    assert read("То Кот - К1", seats) == RefuseOpponent(4, (3,))
    assert read("То Я сам - К1", seats) == RefuseOpponent(0, (3,))


def test_a_table_is_made_of_what_may_be_known_of_a_match() -> None:
    players = tuple(
        PlayerView(seat, team, opponents=opponents)
        for seat, team, opponents in [
            (0, Team.RED, (2,)),
            (1, Team.BLUE, (3,)),
            (2, Team.BLUE, (0,)),
            (3, Team.RED, (1,)),
        ]
    )
    options = SeaOptions(columns=Columns.LATIN)
    view = SeaView(Phase.PLAYING, None, options, 1, Team.RED, Team.RED, players, ())
    names = {0: ("Я",), 1: ("Mirra",), 2: ("ZimA", "@zima"), 3: ("Юнга",)}
    seats = table_of(view, 0, names, addressed=True)
    assert seats.addressed
    assert read("C4", seats) == Shot(2, 32)
    assert read("for Юнга: C4", seats) == OnBehalf(3, Shot(1, 32))


# --- The Admiral ----------------------------------------------------------------------------------


def admiral(*opponents_of_yunga: int, addressed: bool = False) -> Table:
    """A table of an Admiral (seat 0, against 3) with Юнга (seat 1) and two enemies."""
    return Table(
        Person(0, ("Адмирал",), (3,)),
        (Person(1, ("Юнга",), opponents_of_yunga), Person(2, ("Боцман",))),
        (Person(3, ("ZimA",)), Person(4, ("Mirra",))),
        addressed=addressed,
    )


def test_for_a_team_mate_his_own_opponents_count() -> None:
    assert read("За Юнгу: Г6", admiral(4)) == OnBehalf(1, Shot(4, 53))
    assert read("За Юнгу: То ZimA - Г6", admiral(4)) == OnBehalf(1, RefuseOpponent(3, (4,)))
    assert read("За Юнгу: Г6", admiral()) == OnBehalf(1, AskOpponent((3, 4), 53))


def test_an_admiral_shoots_for_himself_and_others_in_one_message() -> None:
    own, other = Shot(3, 30), OnBehalf(1, ReportAndMove(Report((Said(Result.MISS),)), Shot(4, 53, as_typed=True)))
    assert read("То ZimA - А4\nЗа Юнга: - мимо. То Mirra - Г6", admiral(4)) == Several((own, other))


def test_a_shot_for_somebody_unknown_is_never_ones_own() -> None:
    assert describe(read("За Юн: То ZimA - Г6", admiral()), NAMES) == "ASK behalf"
    assert read("За стол: А4", admiral()) != Shot(3, 30)


# --- Properties -----------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        "То", "то", "To", "По", "ZimA", "Zimа", "ЗimA", "Вирт", "Вирта", "Юнга", "Юнгу", "@ZimA", "Адвокат", "-", "–",
        ":", ",", ".", "?", "!", "(", ")", "«", ">", "/", "...", "мимо", "ранил", "убил", "miss", "За", "за", "for",
        "продолжает", "против", "не", "может", "а", "и", "в", "к", "к8", "А4", "а4", "A4", "B4", "Б10", "К", "К10",
        "З3", "33", "3З", "4А", "А", "А11", "А0", "А04", "А٤", "А²", "А1O", "8", "10", "5", "30", "Ё5", "Й3", "1", "0",
        "/shot", "/move", "Move:", "давай", "передаю ход Адмиралу", "ZimA писал:", "буду", "если", "🎯", "\u200b",
        "\u0306", "\ufe0f\u20e3", "\u00a0",
    ]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=40),
    st.text("аАбБвВкКзЗ3478019AaBEKk -–:.,?!\n\u0306\u200b²٤", max_size=12),
    st.lists(st.tuples(WORDS, st.sampled_from(["", " ", "\n", "\n\n"])), max_size=9).map(
        lambda parts: "".join(word + space for word, space in parts)
    ),
)
NICKS = st.one_of(
    st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=12),
    st.sampled_from(
        ["То", "А4", "К", "8", "мимо", "не", "За Рулём", "Давай", "А4 - Б5", "🐱", "Anna-Maria", "Хан Соло"]
    ),
)
COLUMNS = st.sampled_from(Columns)


@given(TEXTS, st.lists(NICKS, min_size=3, max_size=3), st.integers(0, 2), COLUMNS, st.booleans())
@settings(max_examples=300, deadline=None)
def test_reading_never_raises(text: str, nicks: list[str], opponents: int, columns: Columns, addressed: bool) -> None:
    people = [Person(seat, (nick,)) for seat, nick in enumerate(nicks, 3)]
    seats = table(*people[:opponents], others=tuple(people[opponents:]), columns=columns, addressed=addressed)
    read(text, seats)


def shots_of(found: Reading) -> list[Shot]:
    match found:
        case Shot():
            return [found]
        case ReportAndMove(_, move):
            return shots_of(move)
        case OnBehalf(_, what):
            return shots_of(what)
        case Several(readings):
            return [shot for one in readings for shot in shots_of(one)]
        case _:
            return []


def is_written(cell: int, text: str, columns: Columns) -> bool:
    """Whether a person wrote this very cell: its letter (or its Latin twin), its number, and no digit about."""
    name = cell_name(cell, columns)
    letters = name[0] + {"А": "A", "Е": "E", "К": "K"}.get(name[0], "")
    number = rf"(?<![^\W_])[{letters}{letters.lower()}] *-? *{name[1:]}(?![^\W_])"
    return any(
        unicodedata.category(plain(text)[match.end() :][:1] or " ")[0] != "M"
        for match in re.finditer(number, plain(text))
    )


@given(TEXTS, COLUMNS, st.booleans())
@example("А1 0", Columns.CYRILLIC, True)
@example("И\u200b\u03063", Columns.CYRILLIC, True)
@settings(max_examples=1500, deadline=None)
def test_no_shot_is_fired_at_a_cell_that_was_not_written(text: str, columns: Columns, addressed: bool) -> None:
    case = Case(text=text, expect="", columns=columns, addressed=addressed)
    seats, _ = case.table()
    for shot in shots_of(read(text, seats)):
        assert is_written(shot.cell, text, columns)


@given(TEXTS)
@settings(max_examples=500, deadline=None)
def test_plain_talk_fires_no_shot_that_a_message_to_the_bot_would_not(text: str) -> None:
    talk, _ = Case(text=text, expect="", addressed=False).table()
    message, _ = Case(text=text, expect="", addressed=True).table()
    assert set(shots_of(read(text, talk))) <= set(shots_of(read(text, message)))


@given(NICKS, st.integers(0, 99), COLUMNS, st.booleans())
@example("За Рулём", 30, Columns.CYRILLIC, False)
@example("мимо", 30, Columns.CYRILLIC, False)
@example("@ 0", 0, Columns.CYRILLIC, False)
@settings(max_examples=400, deadline=None)
def test_a_written_shot_reads_back(nick: str, cell: int, columns: Columns, addressed: bool) -> None:
    assume(typeable(nick))
    seats = table(Person(3, (nick,)), others=(Person(4, ("Sova_2",)),), columns=columns, addressed=addressed)
    written = Shoot(3, cell)
    found = read(write(written, {3: nick}, columns), seats)
    assert action_of(found) == written
    assert found == Shot(3, cell, as_typed=True)


@given(NICKS, NICKS, st.integers(0, 99), COLUMNS)
@settings(max_examples=300, deadline=None)
def test_between_any_two_nicks_a_written_shot_never_hits_the_other(
    one: str, other: str, cell: int, columns: Columns
) -> None:
    assume(typeable(one) and typeable(other))
    seats = table(Person(3, (one,)), Person(4, (other,)), columns=columns)
    assert action_of(read(write(Shoot(3, cell), {3: one}, columns), seats)) in (Shoot(3, cell), None)


@pytest.mark.parametrize("columns", Columns)
def test_every_action_with_a_text_reads_back(columns: Columns) -> None:
    seats = msgspec.structs.replace(admiral(4), columns=columns)
    names = {0: "Адмирал", 1: "Юнга", 2: "Боцман", 3: "ZimA", 4: "Mirra"}
    for action in (Shoot(3, 99), Shoot(4, 12, 1), AttachAction(2, 4), Delegate(), Withdraw()):
        assert action_of(read(write(action, names, columns), seats)) == action
    for result in Result:
        assert read(write_report(result, columns), seats) == Report((Said(result),))


def test_attachment_reads_back_as_its_own_kind() -> None:
    assert read("Боцман продолжает игру против Mirra", admiral()) == Attach(2, 4)


@pytest.mark.parametrize("columns", Columns)
def test_every_cell_has_one_name(columns: Columns) -> None:
    names = [cell_name(cell, columns) for cell in range(100)]
    assert [cell_of(name, columns) for name in names] == list(range(100))
    assert names[0] == f"{LETTERS[columns][0]}1"
