"""Screens drawn in a process of their own are those that a thread draws, and a dead process is replaced."""

from __future__ import annotations

import multiprocessing

import pytest

from handlers.registry import PRESENTERS
from handlers.studio import Studio
from tests.handlers.sea_stage import Stage


@pytest.mark.parametrize("language", ["ru", "en"])
async def test_a_process_draws_what_a_thread_draws_and_a_dead_one_is_replaced(language: str) -> None:
    stage = Stage(2, language=language)
    scene = stage.scene(0, body={})
    here, there = Studio(PRESENTERS), Studio(PRESENTERS, workers=1)
    try:
        expected = await here.slot("sea_battle", "panel:0", scene)
        assert expected is not None
        assert await there.slot("sea_battle", "panel:0", scene) == expected
        for process in multiprocessing.active_children():
            process.kill()
        assert await there.slot("sea_battle", "panel:0", scene) == expected
    finally:
        there.close()
