"""A real browser, where there is one."""

from __future__ import annotations

import shutil
from contextlib import contextmanager

import pytest

READY = "html:not(:has([inert]))"  # the script of a page has run, and its controls work
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def launch():
    """Starts Chromium, or skips and says why."""
    sync = pytest.importorskip("playwright.sync_api", reason="pages are tested with playwright: pip install playwright")
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"pages are tested in a browser, and there is none of {', '.join(NAMES)}")
    driver = sync.sync_playwright().start()
    browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
    return driver, browser


def context(browser, **options):
    """A context of its own for a test, whose pages wait as long as a busy machine needs."""
    fresh = browser.new_context(**options)
    fresh.set_default_timeout(300_000)
    return fresh


@contextmanager
def opened(browser, served, path, **options):
    """A page, which must not complain and must not ask anybody else."""
    with context(browser, **({"viewport": {"width": 1280, "height": 900}} | options)) as own:
        page = own.new_page()
        faults = []
        page.on("console", lambda message: faults.append(message.text) if message.type in {"error", "warning"} else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: faults.append(request.url) if not request.url.startswith((served, "blob:")) else None)
        page.goto(served + path)
        page.wait_for_selector(READY)
        yield page
        assert not faults, faults
