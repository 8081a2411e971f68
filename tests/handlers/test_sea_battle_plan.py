"""Which posts each kind of change leads to: few in the group, and to each player what concerns him."""

from __future__ import annotations

import json

from engines.sea_battle.model import (
    Attach,
    ConfirmFleet,
    Delegate,
    DraftFleet,
    Eliminate,
    Leave,
    Shoot,
    Start,
)
from referee.planning import What
from storage.records import Post
from tests.engines.sea_table import FLEET
from tests.handlers.sea_stage import GROUP, Stage


def brief(posts: list[Post]) -> list[tuple[str, str]]:
    """Each post as where it goes and what it is: `turn!` is posted anew, `turn` edited, `panel?` edited if shown."""
    told = []
    for post in posts:
        body = json.loads(post.body)
        where = "group" if post.chat_id == GROUP else str(post.chat_id - 100)
        if post.kind == "slot":
            what = body["slot"].partition(":")[0]
            what += "!" if body["fresh"] else "?" if body.get("if_shown") else ""
        else:
            what = post.kind
        told.append((where, what))
    return told


def for_group(posts: list[Post]) -> list[str]:
    return [what for where, what in brief(posts) if where == "group"]


def for_seat(posts: list[Post], seat: int) -> list[str]:
    return [what for where, what in brief(posts) if where == str(seat)]


def test_the_draw_is_posted_and_everyone_gets_his_sea() -> None:
    stage = Stage(2, started=False)

    posts = stage.plan(What.BEGAN)

    assert brief(posts) == [("group", "turn!"), *((str(seat), "panel!") for seat in range(4))]


def test_a_draft_is_nobody_elses_business() -> None:
    stage = Stage(1, started=False)
    stage.do(0, DraftFleet(FLEET[:3]))

    assert brief(stage.plan(seat=0, source="p:1")) == [("0", "panel?")]


def test_a_fleet_typed_in_private_is_shown_below_the_message() -> None:
    stage = Stage(1, started=False)
    stage.do(0, DraftFleet(FLEET[:3]))

    assert brief(stage.plan(seat=0, source="p100:7")) == [("0", "panel!")]


def test_a_confirmed_fleet_edits_the_groups_list() -> None:
    stage = Stage(1, started=False)
    stage.do(0, DraftFleet(FLEET))
    stage.do(0, ConfirmFleet())

    assert brief(stage.plan(seat=0, source="p:1")) == [("group", "turn"), ("0", "panel?")]


def test_start_posts_the_seals_and_the_first_turn() -> None:
    stage = Stage(1, started=False)
    for seat in (0, 1):
        stage.do(seat, DraftFleet(FLEET))
        stage.do(seat, ConfirmFleet())
    stage.do(None, Start())

    posts = stage.plan(source="p:1")

    assert for_group(posts) == ["seals!", "turn!"]
    assert for_seat(posts, stage.table.red[0]) == ["panel!"]
    assert for_seat(posts, stage.table.blue[0]) == ["panel?"]


def test_a_shot_written_in_the_group_only_edits() -> None:
    stage = Stage(2)
    red, blue = stage.table.red, stage.table.blue
    stage.do(red[0], Shoot(blue[0], 99))

    posts = stage.plan(seat=red[0], source=f"g{GROUP}:7")

    assert for_group(posts) == ["turn"]
    assert for_seat(posts, red[0]) == for_seat(posts, blue[0]) == ["panel?"]
    assert for_seat(posts, red[1]) == for_seat(posts, blue[1]) == []


def test_a_shot_made_in_private_is_announced() -> None:
    stage = Stage(2)
    stage.do(stage.table.red[0], Shoot(stage.table.blue[0], 99))

    assert for_group(stage.plan(source="p:1")) == ["news", "turn"]


def test_the_last_shot_of_a_turn_is_one_new_message() -> None:
    stage = Stage(1)
    red, blue = stage.table.red[0], stage.table.blue[0]
    stage.do(red, Shoot(blue, 99))

    posts = stage.plan(source="p:1")

    assert for_group(posts) == ["turn!"]
    assert json.loads(posts[0].body)["n"] == stage.record[-1].n
    assert for_seat(posts, blue) == ["panel!"]
    assert for_seat(posts, red) == ["panel?"]


def test_who_cannot_answer_is_not_called() -> None:
    stage = Stage(2)
    red, blue = stage.table.red, stage.table.blue
    stage.do(red[0], Shoot(blue[0], 0))
    stage.do(red[1], Shoot(blue[1], 99))

    posts = stage.plan(source="p:1")

    assert for_seat(posts, blue[0]) == ["panel?"]
    assert for_seat(posts, blue[1]) == ["panel!"]


def test_a_delegation_is_news_and_calls_the_admiral() -> None:
    stage = Stage(2)
    stage.do(stage.table.red[1], Delegate())

    posts = stage.plan(source="p:1")

    assert for_group(posts) == ["news", "turn"]
    assert for_seat(posts, stage.table.red[0]) == ["panel!"]
    assert for_seat(posts, stage.table.red[1]) == ["panel?"]


def test_an_attached_free_player_on_move_is_called() -> None:
    stage = Stage(3)
    red, blue = stage.table.red, stage.table.blue
    stage.do(None, Eliminate(blue[2]))
    stage.do(red[0], Attach(red[2], blue[0]))

    posts = stage.plan(source="p:1")

    assert for_group(posts) == ["news", "turn"]
    assert for_seat(posts, red[2]) == ["panel!"]


def test_leaving_is_news_and_the_end_is_one_message() -> None:
    stage = Stage(2)
    stage.do(stage.table.blue[0], Leave())
    assert for_group(stage.plan(source="p:1")) == ["news", "turn"]

    stage.do(stage.table.blue[1], Leave())
    assert for_group(stage.plan(source="p:1")) == ["turn!"]


def test_a_deadline_is_one_message_and_tells_the_fallen_in_private() -> None:
    stage = Stage(2)
    stage.table.miss(stage.table.red[0])
    stage.write()
    stage.expire()

    posts = stage.plan(What.EXPIRED)

    assert for_group(posts) == ["turn!"]
    assert for_seat(posts, stage.table.red[1]) == ["panel!"]


def test_a_reminder_goes_to_those_who_are_awaited_and_never_to_the_group() -> None:
    stage = Stage(2)

    posts = stage.plan(What.REMINDER, n=None, events=(), seats=(stage.table.red[1],))

    assert brief(posts) == [(str(stage.table.red[1]), "panel!")]
    assert json.loads(posts[0].body)["reminder"] is True


def test_a_moved_deadline_is_said_and_shown() -> None:
    stage = Stage(1)

    posts = stage.plan(What.CREDIT, n=None, events=(), credit_seconds=600)

    assert for_group(posts) == ["clock!", "turn"]


def test_edits_merge_and_fresh_posts_do_not() -> None:
    stage = Stage(2)
    stage.do(stage.table.red[0], Shoot(stage.table.blue[0], 99))

    for post in stage.plan(source="p:1"):
        if post.kind == "slot":
            assert (post.merge_key is None) == json.loads(post.body)["fresh"]
