"""What the group and the players are shown, from the draw to the end."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import msgspec
import pytest

from engines.contract import dump
from engines.sea_battle.fleet import commitment_text
from engines.sea_battle.model import ConfirmFleet, Delegate, DraftFleet, Eliminate, EndMatch, Leave, SeaOptions, Shoot
from handlers.screens import CAPTION_LIMIT, Press
from handlers.sea_battle import PRESENTER
from locales import words
from tests.engines.sea_table import FLEET
from tests.handlers.sea_stage import Stage, buttons, shown


def texts(screen: object) -> list[str]:
    return [button.text for button in buttons(screen)]  # type: ignore[arg-type]


# --- The group ---


def test_the_draw_names_teams_pairs_admirals_and_who_begins() -> None:
    stage = Stage(2, started=False)

    screen = stage.turn(1)

    text = shown(screen)
    for word in ("Красные", "Синие", "(Адмирал)", "Пары", "Первый ход — за красными", "Ждём расстановку", "Срок"):
        assert word in text
    assert buttons(screen)[0].url == "start:f1"
    assert len(screen.pictures) == 1


def test_start_is_offered_once_all_ships_are_placed() -> None:
    stage = Stage(1, started=False)
    assert not any("СТАРТ" in text for text in texts(stage.turn()))
    for seat in (0, 1):
        stage.do(seat, DraftFleet(FLEET))
        stage.do(seat, ConfirmFleet())

    assert any("СТАРТ" in text for text in texts(stage.turn()))


def test_the_picture_of_the_draw_stays_the_same_while_fleets_are_placed() -> None:
    stage = Stage(2, started=False)
    before = stage.turn().pictures
    stage.do(0, DraftFleet(FLEET))
    stage.do(0, ConfirmFleet())

    assert stage.turn().pictures == before


def test_a_turn_tells_the_hand_over_whose_turn_it_is_and_until_when() -> None:
    stage = Stage(2)
    red, blue = stage.table.red, stage.table.blue
    stage.do(red[0], Shoot(blue[0], 0))
    stage.do(red[1], Shoot(blue[1], 99))

    text = shown(stage.turn(stage.record[-1].n))

    assert text.index("КРАСНЫЕ СДЕЛАЛИ ХОД") < text.index("А1 — ранил") < text.index("К10 — мимо")
    assert text.index("К10 — мимо") < text.index("ХОД ЗА СИНИМИ")
    for word in ("ход 2", "Срок", "выходные и праздники не считаются", "Ждём", "Без ответного выстрела"):
        assert word in text


def test_a_shot_changes_the_caption_and_not_the_picture() -> None:
    stage = Stage(2)
    before = stage.turn()
    stage.do(stage.table.red[0], Shoot(stage.table.blue[0], 0))
    after = stage.turn()

    assert after.pictures == before.pictures
    assert "Выстрел сделан" in shown(after)
    assert "Выстрел сделан" not in shown(before)


def test_results_at_once_are_in_the_news_and_in_the_picture() -> None:
    stage = Stage(2, options=SeaOptions(results_at_once=True))
    before = stage.turn()
    stage.do(stage.table.red[0], Shoot(stage.table.blue[0], 0))

    news = stage.news(stage.record[-1])

    assert news is not None
    assert "А1 — ранил" in shown(news)
    assert stage.turn().pictures != before.pictures


def test_pending_results_are_nowhere_in_the_group() -> None:
    stage = Stage(2)
    stage.do(stage.table.red[0], Shoot(stage.table.blue[0], 0))

    news = stage.news(stage.record[-1])

    assert news is not None
    assert "А1" in shown(news)
    assert "ранил" not in shown(news) + shown(stage.turn())


def test_a_late_post_tells_its_own_line_and_the_newest_shows_the_board() -> None:
    """Two hand-overs while Telegram made us wait: nothing is lost, nothing is said twice."""
    stage = Stage(1)
    red, blue = stage.table.red[0], stage.table.blue[0]
    stage.do(red, Shoot(blue, 99))
    first = stage.record[-1].n
    stage.do(blue, Shoot(red, 98))

    late, newest = stage.turn(first), stage.turn(stage.record[-1].n)

    assert "К10 — мимо" in shown(late)
    assert late.pictures == ()
    assert late.keyboard == ()
    assert "И10 — мимо" in shown(newest)
    assert "К10 — мимо" not in shown(newest)


def test_a_deadline_names_the_rule_and_both_instants() -> None:
    stage = Stage(2)
    stage.table.miss(stage.table.red[0])
    stage.write()
    stage.expire()

    screen = stage.turn(stage.record[-1].n)

    assert "по правилам выбывает каждый" in shown(screen)
    assert str(screen.text).count("<tg-time") >= 3
    assert "не сделан в срок" in shown(screen)


def test_the_end_reveals_everything_and_can_be_checked() -> None:
    stage = Stage(1)
    red, blue = stage.table.red[0], stage.table.blue[0]
    stage.table.kill(red, blue)
    stage.write()

    screen = stage.turn(stage.record[-1].n)
    view = stage.speech().view

    assert "ПОБЕДИЛИ КРАСНЫЕ" in shown(screen)
    for seat in (red, blue):
        assert view.hashes[seat] in screen.text
        assert commitment_text(FLEET, view.salts[seat]) in screen.text
    assert buttons(screen)[0].data == "again:1:"
    assert screen.pictures


def test_a_match_ended_before_start_shows_no_boards() -> None:
    stage = Stage(1, started=False)
    stage.do(None, EndMatch())

    screen = stage.turn(stage.record[-1].n)

    assert "без победителя" in shown(screen)
    assert screen.pictures == ()


def test_the_message_of_a_usual_turn_fits_under_its_picture() -> None:
    stage = Stage(4)
    stage.table.miss(*stage.table.red)
    stage.write()

    assert len(shown(stage.turn(stage.record[-1].n)).encode("utf-16-le")) // 2 <= CAPTION_LIMIT


def test_the_seals_are_those_of_the_view() -> None:
    stage = Stage(1)

    screen = PRESENTER.slot("seals", stage.scene(None))

    assert screen is not None
    assert all(seal in screen.text for seal in stage.speech().view.hashes)


@pytest.mark.parametrize(("language", "said"), [("ru", "прибавлено 10 минут"), ("en", "10 minutes are added")])
def test_a_credit_is_said_in_minutes(language: str, said: str) -> None:
    stage = Stage(1, language=language)

    screen = PRESENTER.slot("clock", stage.scene(None, body={"credit": 600}))

    assert screen is not None
    assert said in shown(screen)


# --- Private panels ---


def test_a_draft_shows_every_fault_and_what_is_missing() -> None:
    stage = Stage(1, started=False)
    stage.do(0, DraftFleet((FLEET[0], FLEET[0], FLEET[1])))

    text = shown(stage.panel(0))

    assert "Пересекаются" in text
    assert "Лишние корабли (четырёхпалубный): 1" in text
    assert "Не хватает (однопалубный): 4" in text


def test_a_whole_draft_offers_to_confirm_and_a_confirmed_one_to_change() -> None:
    stage = Stage(1, started=False)
    stage.do(0, DraftFleet(FLEET))
    assert any("Подтвердить" in text for text in texts(stage.panel(0)))
    stage.do(0, ConfirmFleet())

    assert texts(stage.panel(0)) == ["✏️ Изменить"]


def test_who_is_to_shoot_finds_the_columns_at_once() -> None:
    stage = Stage(1)

    panel = stage.panel(stage.table.red[0])

    assert "Ваш выстрел" in shown(panel)
    assert texts(panel)[:10] == list("АБВГДЕЖЗИК")
    assert len(panel.pictures) == 1


def test_who_was_hit_is_told_why_he_does_not_shoot() -> None:
    stage = Stage(2)
    red, blue = stage.table.red, stage.table.blue
    stage.do(red[0], Shoot(blue[0], 0))
    stage.do(red[1], Shoot(blue[1], 99))

    panel = stage.panel(blue[0])

    assert "По вам попали" in shown(panel)
    assert not any(text in "АБВГДЕЖЗИК" for text in texts(panel))


def test_a_free_player_waits_for_the_order_and_the_admiral_can_give_it() -> None:
    stage = Stage(3)
    stage.do(None, Eliminate(stage.table.blue[2]))

    assert "когда Адмирал скажет" in shown(stage.panel(stage.table.red[2]))
    assert any("Приказы" in text for text in texts(stage.panel(stage.table.red[0])))


def test_an_admiral_who_is_out_names_his_successor_and_nobody_else_does() -> None:
    stage = Stage(3)
    stage.do(stage.table.red[0], Leave())
    stage.do(stage.table.red[1], Leave())

    assert texts(stage.panel(stage.table.red[0])) == [stage.speech().names.plain(stage.table.red[2])]
    assert texts(stage.panel(stage.table.red[1])) == []


def test_an_admiral_sees_who_has_passed_him_the_turn() -> None:
    stage = Stage(2)
    admiral, delegator = stage.table.red
    before = stage.panel(admiral)

    stage.do(delegator, Delegate())

    passed = f"Ход передан вам: {stage.members[delegator].name}"
    assert passed in shown(stage.panel(admiral))
    assert passed not in shown(before)
    assert passed not in shown(stage.panel(delegator))


def test_a_delegator_can_take_it_back() -> None:
    stage = Stage(2)
    stage.do(stage.table.red[1], Delegate())

    panel = stage.panel(stage.table.red[1])

    assert "Забрать ход" in " ".join(texts(panel))
    assert not any(text in "АБВГДЕЖЗИК" for text in texts(panel))


def test_a_reminder_says_that_it_is_one() -> None:
    stage = Stage(1)

    assert "Напоминание" in shown(stage.panel(stage.table.red[0], reminder=True))
    assert "Напоминание" not in shown(stage.panel(stage.table.red[0]))


def test_after_the_end_a_panel_has_no_buttons() -> None:
    stage = Stage(1)
    red, blue = stage.table.red[0], stage.table.blue[0]
    stage.table.kill(red, blue)

    assert "победа" in shown(stage.panel(red))
    assert "победил противник" in shown(stage.panel(blue))
    assert texts(stage.panel(red)) == texts(stage.panel(blue)) == []


# --- Status and options ---


def test_status_tells_who_since_when_until_when_and_what_counts() -> None:
    stage = Stage(2)
    stage.do(stage.table.red[0], Shoot(stage.table.blue[0], 99))

    told = PRESENTER.status(stage.look(None), words("ru")).striptags()

    for word in (
        "Ждём",
        "Выстрел сделан",
        "Начало отсчёта",
        "Срок",
        "Europe/Moscow",
        "праздники не считаются",
        "18 часов",
    ):
        assert word in told


def test_status_warns_of_a_year_whose_moved_days_are_unknown() -> None:
    stage = Stage(1)
    look = stage.look(None)
    late = msgspec.structs.replace(look.match, due_at=datetime(2031, 1, 9, tzinfo=UTC))

    assert "2031" in PRESENTER.status(replace(look, match=late), words("ru"))


@pytest.mark.parametrize("language", ["ru", "en"])
def test_each_option_turns_over_with_its_button(language: str) -> None:
    options = SeaOptions()
    for _ in range(2):
        _, keyboard = PRESENTER.lobby_options(dump(options), words(language), 7)
        assert len(keyboard) == 5
        for row in keyboard:
            press = Press.read(row[0].data or "")
            assert press is not None
            assert press.verb == "opt"
            after = PRESENTER.chosen(dump(options), press)
            assert after != options
            again = PRESENTER.chosen(dump(after), press)
            assert again == options
            text, _ = PRESENTER.lobby_options(dump(after), words(language), 7)
            assert text != PRESENTER.lobby_options(dump(options), words(language), 7)[0]
