"""The web page under load: 50 visitors while an evaluation of 129 runs goes on.

    python benchmarks/web.py [--seconds S] [--users N] [--data FOLDER]

A server is started as a process of its own. One visitor uploads the judgments and runs of TREC-8 (without the data, simulated ones)
and evaluates them over and over. The others open pages and move items of rankings, thinking half a second to a second in between;
every answer must be right. Then a browser, if there is one, opens each page for the first time: when is there something to read?
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx

from common.report import Bar, bars, table

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "trec8"
PAGES = ("/", "/rankings", "/scales", "/order", "/meaning", "/evaluate", "/adm")
ITEMS = 30
PATIENCE = (0.5, 1.0)
SECURE = ssl.create_default_context()  # made once: fifty of them take longer than what is measured
HEADERS = {"Accept-Encoding": "gzip"}


@dataclass
class Seen:
    """Figures of one measurement."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    evaluations: int = 0
    """Evaluations that ended."""
    busy: float = 0.0
    """Seconds during which one went on."""

    def add(self, what: str, took: float) -> None:
        """One request."""
        self.seconds.setdefault(what, []).append(took)


async def timed(seen: Seen, what: str, request: Any) -> httpx.Response | None:
    """A request, measured; an answer that is no answer is an error."""
    start = time.perf_counter()
    try:
        answer: httpx.Response = await request
    except httpx.HTTPError as error:
        seen.errors.append(f"{what}: {type(error).__name__} {error}")
        return None
    seen.add(what, time.perf_counter() - start)
    if answer.is_error:
        seen.errors.append(f"{what}: {answer.status_code} {answer.text[:100]}")
        return None
    return answer


async def visitor(address: str, seen: Seen, until: float, number: int) -> None:
    """Opens pages and moves items."""
    chance = random.Random(number)
    async with httpx.AsyncClient(base_url=address, headers=HEADERS, timeout=30, verify=SECURE) as client:
        await asyncio.sleep(chance.uniform(0, PATIENCE[1]))
        while time.perf_counter() < until:
            page = await timed(seen, "page", client.get(chance.choice(PAGES)))
            if page is not None:
                for path in re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text):
                    await timed(seen, "static", client.get(path))
            ranking = [f"item {at}" for at in range(ITEMS)]
            for _ in range(8):
                await asyncio.sleep(chance.uniform(*PATIENCE))
                if time.perf_counter() >= until:
                    return
                at = chance.randrange(ITEMS - 1)
                ranking[at], ranking[at + 1] = ranking[at + 1], ranking[at]
                body = {"first": ranking, "second": [f"item {place}" for place in range(ITEMS)]}
                answer = await timed(seen, "ranking", client.post("/api/rankings", json=body))
                if answer is not None and answer.json()["ranked"] != ranking:
                    seen.errors.append("ranking: another ranking came back")


async def evaluator(client: httpx.AsyncClient, seen: Seen, until: float) -> None:
    """Evaluates over and over."""
    while time.perf_counter() < until:
        begun = await timed(seen, "evaluate", client.post("/api/evaluations", json={"measures": ["AP", "nDCG@10"]}))
        if begun is None:
            return
        start, job = time.perf_counter(), begun.json()["id"]
        state: dict[str, Any] = {"state": "waiting"}
        while state["state"] in {"waiting", "running"} and time.perf_counter() < until:
            await asyncio.sleep(0.25)
            looked = await timed(seen, "progress", client.get(f"/api/evaluations/{job}"))
            state = {"state": "failed", "error": "no answer"} if looked is None else looked.json()
        seen.busy += time.perf_counter() - start
        if state["state"] == "done":
            seen.evaluations += 1
        elif state["state"] == "failed":
            seen.errors.append(f"evaluation: {state['error']}")


async def load(address: str, seen: Seen, users: int, seconds: float, files: list[tuple[str, Path]]) -> None:
    """One visitor uploads; then all of them at once."""
    first = httpx.AsyncClient(base_url=address, timeout=60)
    for kind, path in files:
        content = path.read_bytes()
        await timed(seen, "upload", first.post("/api/files", params={"kind": kind, "name": path.name}, content=content))
    until = time.perf_counter() + seconds
    others = [visitor(address, seen, until, number) for number in range(users)]
    await asyncio.gather(evaluator(first, seen, until), *others)
    await first.aclose()


def first_paints(address: str) -> dict[str, float]:
    """Milliseconds until each page shows something, in a browser that has seen none of them."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        found = None
    if found is None:
        print("no browser, or no playwright: first paints are not measured")
        return {}
    paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    took = {}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        for path in PAGES:
            page = browser.new_context().new_page()
            page.goto(address + path)
            page.wait_for_function(f"() => {paint}")
            took[path] = float(page.evaluate(paint))
        browser.close()
    return took


def campaign(folder: Path, data: Path) -> tuple[str, list[tuple[str, Path]]]:
    """The files to evaluate."""
    runs = sorted((data / "runs").glob("*")) if data.is_dir() else []
    if runs:
        return "TREC-8", [("qrels", data / "qrels.txt"), *(("run", path) for path in runs)]
    from mensura.study.example import example

    qrels, paths = example(1, systems=26, topics=50, documents=3000, depth=1000).write(folder)
    return "simulated", [("qrels", qrels), *(("run", path) for path in paths)]


def main() -> None:
    """Starts, loads, measures, stops."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, metavar="S")
    parser.add_argument("--users", type=int, default=50, metavar="N")
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="TREC-8: qrels.txt and runs/")
    arguments = parser.parse_args()
    command = [sys.executable, "-m", "mensura", "serve", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None  # noqa: S101 - it is a pipe
    address = server.stdout.readline().split()[-1].rstrip("/")
    seen = Seen()
    try:
        httpx.get(f"{address}/static/0/vega.js", timeout=60)  # the bundle is there
        before = os.getloadavg()[0]
        with tempfile.TemporaryDirectory() as folder:
            name, files = campaign(Path(folder), arguments.data)
            asyncio.run(load(address, seen, arguments.users, arguments.seconds, files))
        after = os.getloadavg()[0]
        paints = first_paints(address)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)
    rows = []
    for what, took in seen.seconds.items():
        cuts = quantiles(took, n=100) if len(took) > 1 else took * 99
        rows.append([what, str(len(took)), *(f"{1000 * value:.1f}" for value in (cuts[49], cuts[94], cuts[98], max(took)))])
    print(
        f"{arguments.users} visitors, {arguments.seconds:g} s, {os.cpu_count()} cores; load average {before:.1f}, then {after:.1f}"
    )
    print(f"{len(files) - 1} {name} runs: {seen.evaluations} evaluations ended, one went on for {seen.busy:.0f} s\n")
    print(table(["request", "number", "p50, ms", "p95", "p99", "max"], rows))
    if paints:
        print(f"\n{table(['page', 'first paint, ms'], [[path, f'{took:.0f}'] for path, took in paints.items()])}")
    for error in seen.errors[:10]:
        print(error)
    found = [Bar("errors", len(seen.errors), "≤", 0)]
    found += [
        Bar(f"p95 of {what} requests", 1000 * quantiles(seen.seconds[what], n=100)[94], "≤", 200, " ms")
        for what in ("page", "ranking")
    ]
    if paints:
        found.append(Bar("slowest first paint", max(paints.values()), "≤", 1000, " ms"))
    print(f"\n{bars(found)}")


if __name__ == "__main__":
    main()
