"""The analyst's command line, run in this process: what it prints and its exit codes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engines.cli import main
from engines.sea_battle import cli as sea_battle_cli
from engines.sea_battle import selfplay
from engines.sea_battle.model import Fleet, Ship

DATA = Path(__file__).parents[1] / "data"


def test_reading_the_cases_of_the_rules_finds_no_difference(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "sea_battle", str(DATA / "sea_moves.jsonl")]) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("85 messages, 0 different\n")
    assert "DIFF" not in printed


def test_a_difference_is_shown_and_ends_with_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        {"text": "А4", "expect": "SHOT ZimA А5"},
        {"text": "To ZimA - C4", "expect": "SHOT ZimA C4", "columns": "latin"},
        {"text": "10 10", "expect": "NOT_A_MOVE", "addressed": False},
    ]
    path = tmp_path / "moves.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    assert main(["read", "sea_battle", str(path)]) == 1
    printed = capsys.readouterr().out
    assert "DIFF  'А4'" in printed
    assert "expected: SHOT ZimA А5" in printed
    assert "3 messages, 1 different" in printed


def test_an_empty_file_agrees_with_nothing(tmp_path: Path) -> None:
    path = tmp_path / "moves.jsonl"
    path.write_text("\n\n", encoding="utf-8")
    assert main(["read", "sea_battle", str(path)]) == 1


@pytest.mark.parametrize("content", [None, "not json", '{"text": 4}'])
def test_a_file_that_cannot_be_read_ends_with_two(
    tmp_path: Path, content: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "moves.jsonl"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    assert main(["read", "sea_battle", str(path)]) == 2
    assert capsys.readouterr().err.startswith("python -m engines:")


def test_random_fleets_are_held_against_the_census(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["random-fleets", "400", "--seed", "3"]) == 0
    printed = capsys.readouterr().out
    assert "exact 8.791" in printed
    assert " А1 " in printed
    assert printed.endswith("\nuniform\n")


def test_fleets_that_are_not_uniform_end_with_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def always_the_same(_dice: object) -> Fleet:
        return (Ship(0, 4),)

    monkeypatch.setattr(sea_battle_cli, "random_fleet", always_the_same)
    assert main(["random-fleets", "100"]) == 1
    assert "NOT UNIFORM" in capsys.readouterr().out


def test_no_fleets_at_all_are_an_error() -> None:
    assert main(["random-fleets", "0"]) == 2


def test_small_boards_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count-fleets"]) == 0
    printed = capsys.readouterr().out
    assert "5 x 5 {3,2,1,1}: 8,712  same" in printed
    assert printed.count("same") == 3


def test_a_board_of_ones_own_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count-fleets", "--width", "5", "--height", "5", "--ships", "3", "2", "1", "1"]) == 0
    assert capsys.readouterr().out == "5 x 5 {3,2,1,1}: 8,712\n"
    assert main(["count-fleets", "--width", "5"]) == 2


def test_matches_are_played_to_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selfplay", "sea_battle", "-n", "1", "--seed", "2"]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 1


def test_a_match_that_breaks_ends_with_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(_count: int, _seed: int) -> selfplay.Report:
        raise selfplay.InvariantBroken("match '2/0' does not end")

    monkeypatch.setattr(selfplay, "run", broken)
    assert main(["selfplay", "sea_battle"]) == 1
    assert "BROKEN: match '2/0'" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["read"], ["read", "chess", "x"], ["random-fleets", "many"], ["fly"]])
def test_arguments_that_are_none_end_with_two(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "usage:" in capsys.readouterr().err


def test_help_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "random-fleets" in capsys.readouterr().out


def test_it_runs_as_a_module() -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "engines", "read", "sea_battle", str(DATA / "sea_moves.jsonl")]
    done = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0
    assert done.stdout.endswith("85 messages, 0 different\n")
