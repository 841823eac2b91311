"""No test of scales reads or leaves a cache, unless it asks for one."""

import pytest


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MENSURA_CACHE", "off")
