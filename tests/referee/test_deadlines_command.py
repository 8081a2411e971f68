"""`python -m referee deadlines FILE`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.__main__ import main
from tests.referee.examples import FILE


def test_all_examples_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deadlines", str(FILE)]) == 0
    assert capsys.readouterr().out.endswith("20 cases, 0 differences\n")


def test_a_difference_is_shown_and_is_the_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = json.loads(FILE.read_bytes())
    content["cases"][3]["deadline"] = "2030-01-01T00:00:00+03:00"
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(content))
    assert main(["deadlines", str(wrong)]) == 1
    said = capsys.readouterr().out
    assert said.count("DIFFERS") == 1
    assert "2029-12-31T21:00:00+00:00" in said


@pytest.mark.parametrize("content", [None, b"", b"[]", b'{"cases": [{"name": "x"}]}', b"\xff\xfe"])
def test_a_file_that_cannot_be_read_is_said(
    tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cases.json"
    if content is not None:
        path.write_bytes(content)
    assert main(["deadlines", str(path)]) == 2
    assert "cases.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    "changes", [{"zone": "Mars/Olympus"}, {"calendar": "XX"}, {"calendar": ""}, {"start": "2026-11-24T09:00:00"}]
)
def test_a_case_that_makes_no_sense_is_said(
    tmp_path: Path, changes: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.loads(FILE.read_bytes())
    content["cases"] = [content["cases"][0] | changes]
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(content))
    assert main(["deadlines", str(path)]) == 2
    assert "cases.json" in capsys.readouterr().err


def test_no_command_shows_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err
