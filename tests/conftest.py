"""Fixtures and settings of all tests."""

import gc
import os
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

from mensura.measures import REGISTRY

os.environ["MENSURA_LEDGER"] = "off"  # no test may write into the ledger of whoever runs it
# What a test says must not depend on what else the machine does: no example has a deadline.
settings.register_profile("mensura", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("mensura")

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
# Tests of seconds each come first, so that at the end no worker waits for another one's long test.
DEAR = ("test_matrix.py", "web/", "study/", "engines/", "docs/", "lint/test_planted.py", "lint/test_robust.py", "report/", "io/")


def pytest_collection_modifyitems(items):
    """Begin with what takes longest; within a file the order stays, and with it what its tests share."""
    here = Path(__file__).parent

    def place(item):
        name = item.path.relative_to(here).as_posix() if item.path.is_relative_to(here) else ""
        return next((at for at, start in enumerate(DEAR) if name.startswith(start)), len(DEAR))

    items.sort(key=place)


def pytest_collection_finish():
    """Leave what was collected to the end of the process: looking at ten thousand tests again and again took 5 % of the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """Scales that tests count are kept for the other tests, not for whoever runs them."""
    os.environ["MENSURA_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(autouse=True)
def registry():
    """A measure that a test registers is gone after it, and so is a variable that a page or a row sets in the environment."""
    known = dict(REGISTRY)
    with patch.dict(os.environ):
        yield
    REGISTRY.clear()
    REGISTRY.update(known)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data: TREC-8, Deep Learning 2021, trec_eval's own test files."""
    if not DATA.is_dir():
        pytest.skip(f"the real data are not there: {DATA}")
    return DATA


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests of a process: playwright refuses to start a second one beside it."""
    from tests.web.browser import launch

    driver, chromium = launch()
    yield chromium
    chromium.close()
    driver.stop()


@pytest.fixture(scope="session")
def workers(tmp_path_factory):
    """A cluster of two workers for all tests of a process that do nothing to it: its processes import for seconds."""
    pytest.importorskip("distributed")
    from tests.engines.clusters import cluster

    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture
def write(tmp_path):
    """Writes bytes or text to a file of a temporary folder and gives its path."""

    def writer(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return writer
