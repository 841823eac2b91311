"""Studies, simulated campaigns and sweeps in pieces: the same on every engine, and resumed where they were killed."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from mensura import JudgedRuns
from mensura.engines.choice import open_engine
from mensura.errors import ScaleError
from mensura.evaluation.evaluation import score
from mensura.io.caches import cached_files
from mensura.scales.counting import sweep
from mensura.scales.counting.choose import MOST_SWEPT
from mensura.scales.interval import interval_scale
from mensura.stats.comparison import compare
from mensura.study import campaigns, experiment, truth
from mensura.study.cell import StudyOptions
from mensura.study.names import study_measures
from tests.cli.running import call

pytest.importorskip("distributed")
MEASURES = ["P", "R", "AP", "DCG(base=2)", "nDCG", "RR"]


@pytest.fixture(scope="module")
def client(workers):
    engine = open_engine(workers.address)
    yield engine.client
    engine.close()


@pytest.fixture
def judged():
    grades = np.random.default_rng(8).integers(0, 3, (5, 12, 16)).astype(np.int8)
    return JudgedRuns.from_grades(grades, [[40, 20, 9]] * 12)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache that keeps every piece of a sweep, which has a few dozen of them."""
    monkeypatch.setenv("MENSURA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sweep, "WORTH_RESUMING", 0)
    monkeypatch.setattr(sweep, "WORTH_KEEPING", 0)
    monkeypatch.setattr(sweep, "SUMS_PER_JOB", 2**13)


def cells(study):
    return json.dumps([experiment._plain(cell) for cell in study.cells])


def test_a_study_is_the_same_on_workers(client, judged):
    here = experiment.study(judged, MEASURES, [5, 16], ["t", "sign"])
    assert cells(experiment.study(judged, MEASURES, [5, 16], ["t", "sign"], engine=client)) == cells(here)


def test_campaigns_are_the_same_on_workers(client, monkeypatch):
    monkeypatch.setattr(truth, "BATCH", 4)
    options = {"design": campaigns.Design(systems=6, topics=10), "measures": ["P", "AP"], "tests": ["t"], "campaigns": 10}
    assert repr(truth.find_truth(**options, engine=client).errors) == repr(truth.find_truth(**options).errors)


@pytest.mark.parametrize("test", ["bootstrap-t", "bootstrap", "randomisation", "randomised-tukey", "t"])
@pytest.mark.parametrize("baseline", [None, "2"])
def test_random_draws_are_the_same_on_workers(client, judged, test, baseline):
    """The default correction, and for the t-test the one that draws signs; the last block of draws is not a whole one."""
    options = {"test": test, "baseline": baseline, "samples": 777, "seed": 3, "correction": "maxT" if test == "t" else "auto"}
    evaluation = score(judged, ["AP", "P@5"])
    here = [compare(evaluation, **options, threads=threads).to_json() for threads in (1, 2)]
    assert compare(evaluation, **options, engine=client).to_json() == here[0] == here[1]


def test_a_campaign_is_the_same_on_workers(client):
    """One stream of random numbers, drawn from the first topic to the last, is the reference."""
    design = campaigns.Design(systems=5, topics=77, documents=60, depth=20, grades=2)
    alone = campaigns.simulate(design, seed=5, threads=1)
    told = []
    for options in ({"threads": 3}, {"engine": client, "progress": lambda *done: told.append(done)}):
        other = campaigns.simulate(design, seed=5, **options)
        for what in ("relevance", "ranked", "scores", "returned", "pooled", "easiness", "qualities"):
            assert (getattr(alone, what) == getattr(other, what)).all()
    assert told[-1] == (len(told), len(told))


def test_commands_draw_and_simulate_on_workers(client, tmp_path, monkeypatch):
    monkeypatch.setenv("MENSURA_LEDGER", "off")
    monkeypatch.setenv("MENSURA_SCHEDULER", client.scheduler.address)
    words = ["simulate", "--systems", "4", "--topics", "12", "--documents", "50", "--seed", "2", "-o"]
    for name, options in (("one", []), ("two", ["--engine", "dask"])):
        assert call([*words, str(tmp_path / name), *options]).returncode == 0
    files = [path.relative_to(tmp_path / "one") for path in sorted((tmp_path / "one").rglob("*")) if path.is_file()]
    assert len(files) == 7
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in files)
    inputs = [str(tmp_path / "one" / "qrels.txt"), str(tmp_path / "one" / "runs" / "*"), "-m", "AP", "--samples", "500"]
    for command in (["compare", "-f", "json"], ["report", "--date", "today"]):
        words = [command[0], *inputs, *command[1:]]
        assert call([*words, "--engine", "dask"]).stdout == call(words).stdout


def enumerated():
    """The number of values of AP@18, all runs written down."""
    bits = (np.arange(2**18)[:, None] >> np.arange(18)) & 1
    unit = np.lcm.reduce(np.arange(1, 19))
    return len(np.unique((bits * np.cumsum(bits, axis=1) * (unit // np.arange(1, 19))).sum(axis=1)))


class Killed(BaseException):
    """The end of a client."""


def killed_after(number):
    def progress(done, _):
        if done >= number:
            raise Killed

    return progress


def test_a_killed_study_is_resumed_on_workers(client, judged, tmp_path):
    options = {"measures": MEASURES, "lengths": [5, 16], "tests": ["t"], "work": tmp_path}
    with pytest.raises(Killed):
        experiment.study(judged, **options, progress=killed_after(3))
    resumed = experiment.study(judged, **options, engine=client)
    assert 3 <= sum(seconds is None for seconds in resumed.seconds.values()) < len(MEASURES) * 2
    assert cells(resumed) == cells(experiment.study(judged, MEASURES, [5, 16], ["t"]))


def test_measures_with_one_scale_are_one_piece(judged):
    plan = StudyOptions(("t",), ("unq",), 0.05, 0, "interval", None)
    measures = study_measures(["DCG(base=2)", "nDCG(base=2)", "RR"])
    steps = experiment.study_steps(measures, [5, 16], plan)
    pieces = [[step.name for step in piece] for piece in experiment.in_pieces(judged, steps)]
    assert sorted(map(len, pieces)) == [1, 1, 2, 2]
    assert all(name.endswith("_16") for piece in pieces[:2] for name in piece)


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("measure", ["AP@18", "ERR@18"])
def test_a_sweep_is_the_same_on_workers(client, measure):
    runs = np.random.default_rng(1).integers(0, 2, (50, 18)).astype(np.int8)
    ranks = interval_scale(measure).rank(runs)
    for path, _ in cached_files():
        path.unlink()
    scale = interval_scale(measure, engine=client)
    assert scale.rank(runs).tolist() == ranks.tolist()
    assert isinstance(scale.counting, sweep.SweptValues)
    assert len(scale.counting._bounds()) >= 4
    assert len(cached_files()) == 1  # the pieces are gone when the whole is kept


@pytest.mark.usefixtures("cache")
def test_a_killed_sweep_is_resumed_on_workers(client):
    calls = []

    def interrupt(share):
        calls.append(share)
        if len(calls) == 3:
            raise Killed

    with pytest.raises(Killed):
        interval_scale("AP@18", progress=interrupt).steps  # noqa: B018 - it counts
    kept = len(cached_files())
    assert kept >= 3
    scale = interval_scale("AP@18", engine=client)
    assert isinstance(scale.counting, sweep.SweptValues)
    assert scale.counting.plan().kept == kept
    assert scale.steps == enumerated()
    assert len(cached_files()) == 1


def test_an_altered_piece_is_swept_again(cache, client):
    with pytest.raises(Killed):
        interval_scale("AP@18", progress=lambda _: (_ for _ in ()).throw(Killed)).steps  # noqa: B018 - it counts
    (path, _), *_ = cached_files()
    path.write_bytes(path.read_bytes()[:-8])
    assert interval_scale("AP@18", engine=client).steps == enumerated()


def test_only_an_engine_may_take_hours():
    longest = MOST_SWEPT.bit_length()
    with pytest.raises(ScaleError, match="lengths up to 36"):
        interval_scale(f"AP@{longest}").steps  # noqa: B018 - it counts
    assert interval_scale(f"AP@{longest}", engine="threads").method == "sweep"


def test_plans(tmp_path):
    done = call(["scale", "AP@22", "--plan-only"])
    assert re.search(r"a sweep over [\d\u202f\u00a0 ]+ sums\npieces    \d+, of which 0 are kept", done.stdout)
    assert "of one core" in done.stdout
    assert call(["scale", "P@22", "--plan-only"]).stdout.endswith("counted at once (by: closed form)\n")
    design = ["--systems", "40", "--topics", "200"]
    assert re.match(r"200 topics of 40 systems: 29 pieces, about ", call(["simulate", "-o", "x", *design, "--plan-only"]).stdout)
    table = tmp_path / "scores.csv"
    for systems, topics, pieces in ((3, 9, "1 piece"), (40, 100, "32 pieces")):  # little work is not cut up
        rows = "".join(f"s{s},t{t},{(s * t) % 7}\n" for s in range(systems) for t in range(topics))
        table.write_text(f"system,topic,value\n{rows}")
        compared = call(["compare", "--scores", str(table), "--plan-only"]).stdout
        assert compared.startswith(f"10000 random draws: {pieces}, about ")
    assert call(["compare", "--scores", str(table), "--plan-only", "--test", "sign"]).stdout.endswith("it is computed at once\n")
    folder = tmp_path / "truth"
    done = call(["study", "--truth", "--campaigns", "60", "-m", "P", "--tests", "t", "-o", str(folder), "--plan-only"])
    assert done.stdout.startswith("60 simulated campaigns: 3 pieces, about ")
    assert not folder.exists()
