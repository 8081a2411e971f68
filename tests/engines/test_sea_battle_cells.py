"""Rules, «How a shot is written»: letters, rows, and what is dropped or kept of a text."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.sea_battle.cells import (
    LETTERS,
    CellText,
    Wrong,
    cell_name,
    cell_of,
    plain,
    read_cell,
    read_keys,
    read_swapped,
)
from engines.sea_battle.model import CELLS, Columns


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("А\u00a0\u2009\u30004", "А   4"),
        ("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d", "--------"),
        ("Ａ４", "A4"),
        ("А4\u200b\ufeff\u200e\u2066\u00ad", "А4"),
        ("А4\ufe0f\u20e3", "А4"),
        ("И\u0306", "Й"),
        ("И\u200d\u0306", "Й"),  # a joiner must not keep the mark from its letter
        ("Е\u0308", "Ё"),
        ("А²", "А²"),
        ("А٤", "А٤"),
        ("a\r\nb\rc\u2028d\x85e", "a\nb\nc\nd\ne"),
        ("а\tб", "а б"),
    ],
)
def test_text_is_made_plain_without_changing_what_it_says(text: str, result: str) -> None:
    assert plain(text) == result


@given(st.text())
@settings(max_examples=300, deadline=None)
def test_plain_text_stays_as_it_is(text: str) -> None:
    once = plain(text)
    assert plain(once) == once
    assert unicodedata.is_normalized("NFC", once)


@pytest.mark.parametrize("columns", Columns)
def test_every_cell_is_read_in_its_own_letters_large_and_small(columns: Columns) -> None:
    for cell in range(CELLS):
        name = cell_name(cell, columns)
        assert cell_of(name, columns) == cell
        for letter in (name[0], name[0].lower()):
            assert read_cell(letter, name[1:], columns) == CellText(f"{letter}{name[1:]}", (cell,), True, True)


@pytest.mark.parametrize("name", ["", "А", "4", "А0", "А11", "А04", "a4", "A4", "Ё5", "АА", "А4 "])
def test_only_a_cells_own_name_is_one(name: str) -> None:
    with pytest.raises(ValueError, match="no such cell"):
        cell_of(name)


@pytest.mark.parametrize("cell", [-1, 100])
def test_beyond_the_board_there_is_no_name(cell: int) -> None:
    with pytest.raises(ValueError, match="no such cell"):
        cell_name(cell)


@pytest.mark.parametrize(
    ("letter", "row", "asked"),
    [
        ("B", "4", "В4 Б4"), ("v", "4", "В4"), ("d", "7", "Д7"), ("g", "3", "Г3"), ("J", "10", "К10 Ж10"),
        ("F", "4", "А4"), ("Ё", "5", "Е5"), ("Й", "3", "И3"), ("А", "04", "А4"), ("А", "²", "А2"), ("А", "1O", "А10"),
        ("А", "1О", "А10"), ("К", "010", "К10"), ("А", "①", "А1"),
    ],
)  # fmt: skip
def test_what_may_be_a_cell_is_doubtful(letter: str, row: str, asked: str) -> None:
    read = read_cell(letter, row, Columns.CYRILLIC)
    assert read is not None
    assert (read.sure, read.as_typed, read.wrong) == (False, False, None)
    assert [cell_name(cell) for cell in read.cells] == asked.split()


@pytest.mark.parametrize(("letter", "cell"), [("A", "А4"), ("e", "Е4"), ("K", "К4")])
def test_three_latin_letters_are_sure_and_said_back(letter: str, cell: str) -> None:
    assert read_cell(letter, "4", Columns.CYRILLIC) == CellText(f"{letter}4", (cell_of(cell),), True, False)


def test_no_cyrillic_letter_is_sure_where_columns_are_latin() -> None:
    for letter in "АБВГДЕЖЗИКНСФЦЁЙ":
        read = read_cell(letter, "4", Columns.LATIN)
        assert read is not None
        assert read.cells
        assert not read.sure


@pytest.mark.parametrize("letter", ["Л", "С", "Ф", "Ъ", "І", "Ґ", "Q", "Δ"])
def test_a_letter_that_is_no_column_is_wrong(letter: str) -> None:
    assert read_cell(letter, "4", Columns.CYRILLIC) == CellText(f"{letter}4", wrong=Wrong.COLUMN)


@pytest.mark.parametrize("row", ["0", "11", "100", "٤", "4٤", "00", "99999"])
def test_a_row_beyond_the_board_is_wrong_and_never_cut(row: str) -> None:
    assert read_cell("А", row, Columns.CYRILLIC) == CellText(f"А{row}", wrong=Wrong.ROW)


@pytest.mark.parametrize(
    ("letter", "row"), [("Т", "34"), ("ß", "4"), ("あ", "4"), ("ı", "4x"), ("А", ""), ("А", "4а"), ("А", "4٤x")]
)
def test_what_is_nothing_like_a_cell_is_none(letter: str, row: str) -> None:
    assert read_cell(letter, row, Columns.CYRILLIC) is None


def test_a_letter_whose_capital_is_not_its_own_is_never_sure() -> None:
    assert read_cell("ı", "4", Columns.LATIN) is None


def test_swapped_and_mistyped_cells_are_doubtful() -> None:
    assert read_swapped("4", "А", Columns.CYRILLIC) == CellText("4А", (30,))
    assert read_swapped("10", "K", Columns.CYRILLIC) == CellText("10K", (99,))
    assert read_swapped("4", "G", Columns.CYRILLIC) is None
    assert read_keys(",", "2", Columns.CYRILLIC) == CellText(",2", (11,))
    assert read_keys(";", "2", Columns.CYRILLIC) == CellText(";2", (16,))
    assert read_keys(",", "2", Columns.LATIN) is None
    assert read_keys(".", "2", Columns.CYRILLIC) is None


@given(st.text(min_size=1, max_size=1), st.text(max_size=4), st.sampled_from(Columns))
@settings(max_examples=500, deadline=None)
def test_a_sure_cell_has_its_own_letter_and_an_ascii_row(letter: str, row: str, columns: Columns) -> None:
    read = read_cell(letter, row, columns)
    if read is None:
        return
    assert len(read.cells) == 1 or not read.sure
    assert (read.wrong is None) == bool(read.cells)
    if read.sure:
        assert row in {str(number) for number in range(1, 11)}
        twins = {"A": "А", "E": "Е", "K": "К"} if columns is Columns.CYRILLIC else {}
        upper = letter.upper()
        assert LETTERS[columns][read.cells[0] % 10] == twins.get(upper, upper)
