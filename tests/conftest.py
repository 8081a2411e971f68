"""What every room's tests share: a real browser."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

# Nothing of the browser's own may go out, and no name but loopback is found.
CHROMIUM_ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, once for a module. Where there is none the test is skipped, but on CI (`CI` is set) it fails.

    Playwright's blocking interface keeps an event loop running behind the scenes, so a module that uses this fixture
    has no `async` tests.
    """
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        reason = "no Chromium on this machine (looked for chromium, chromium-browser, google-chrome)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGS)
        yield started
        started.close()
