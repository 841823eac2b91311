"""The outer boundary: whatever goes wrong, one sentence and the right status."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.cli.running import mensura

posix = pytest.mark.skipif(os.name != "posix", reason="streams and signals of POSIX")
QRELS = "q 0 a 1\nq 0 b 0\np 0 a 1\n"
RUN = "q Q0 a 1 2 mine\nq Q0 b 2 1 mine\np Q0 a 1 1 mine\n"
DEEP = "[" * 100_000 + "]" * 100_000


@pytest.fixture
def campaign(tmp_path):
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "run.txt").write_text(RUN)
    (tmp_path / "run2.txt").write_text(RUN.replace("mine", "other").replace("a 1 2", "a 1 0"))
    return tmp_path


def shell(command: str, folder) -> subprocess.CompletedProcess[str]:
    full = command.replace("mensura", f"{sys.executable} -m mensura", 1)
    done = subprocess.run(["/bin/sh", "-c", full], capture_output=True, text=True, cwd=folder, check=False)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done


@posix
@pytest.mark.parametrize("words", ["--help", "--version", "evaluate --help", "evaluate qrels.txt run.txt", "measures", "explain"])
def test_a_full_device(words, campaign):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full here")
    done = shell(f"mensura {words} > /dev/full", campaign)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        2,
        "mensura: cannot write to standard output: No space left on device",
    )


AT_THE_END = """
import atexit
import threading


def last():
    threading.main_thread().join()
    print("the thread has ended")


threading.Thread(target=last).start()
atexit.register(print, "the function has run")
"""


@pytest.mark.parametrize("profiled", ["", "-m cProfile -o profile"])
def test_threads_end_and_functions_run_before_the_process_ends(profiled, campaign):
    """As when Python ends a program by itself, which it does where somebody profiles."""
    (campaign / "end.py").write_text(AT_THE_END)
    words = [
        sys.executable,
        *profiled.split(),
        "-m",
        "mensura",
        "evaluate",
        "qrels.txt",
        "run.txt",
        "-m",
        "AP",
        "--plugin",
        "end.py",
    ]
    done = subprocess.run(words, capture_output=True, text=True, cwd=campaign, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-2:] == ["the thread has ended", "the function has run"]
    assert (campaign / "profile").exists() == bool(profiled)


@posix
def test_threads_at_the_end_where_no_descriptor_is_left():
    """Python ends threads that still run by pthread_exit, which loads libgcc and aborts where it cannot be opened."""
    script = """if True:
        import resource, signal, sys, threading, time
        from mensura.cli import main, run_command
        def work():
            while True:
                time.sleep(0.0001)
        class Held:
            def __del__(self):
                time.sleep(0.2)  # threads go on while Python ends
        held = Held()
        sys.argv = ["mensura", "--version"]
        run_command(sys.argv[1:])  # imports what it needs
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
        main()
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@posix
def test_closed_streams(campaign):
    evaluating = "mensura evaluate qrels.txt run.txt -m AP -f csv"
    assert shell(f"{evaluating} 2>&-", campaign).stdout == "system,measure,mean,topics,missing\nmine,AP,1.0,2,0\n"
    assert shell(f"{evaluating} >&-", campaign).returncode == 2
    assert "Bad file descriptor" in shell(f"{evaluating} >&-", campaign).stderr
    assert shell(f"{evaluating} <&-", campaign).returncode == 0
    done = shell("mensura evaluate qrels.txt - -m AP <&-", campaign)
    assert (done.returncode, done.stderr) == (2, "mensura: -: standard input is closed; give a file instead\n")
    assert shell(f"{evaluating} -o out.csv >&- 2>&- <&-", campaign).returncode == 0
    assert (campaign / "out.csv").read_text().endswith("mine,AP,1.0,2,0\n")


@posix
def test_a_reader_that_has_enough(campaign):
    assert shell("mensura measures | head -1", campaign).stderr == ""


@posix
def test_an_interrupt(campaign):
    os.mkfifo(campaign / "pipe")
    command = [sys.executable, "-m", "mensura", "evaluate", "qrels.txt", "pipe"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=campaign)
    with (campaign / "pipe").open("w"):  # it reads now, and waits
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=300)
    assert (process.returncode, said) == (130, "mensura: interrupted\n")


@posix
def test_no_home_and_an_unknown_user(campaign):
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody unknown")
    campaign.chmod(0o777)
    environment = {key: value for key, value in os.environ.items() if key not in {"HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"}}
    for command in (["evaluate", "qrels.txt", "run.txt"], ["compare", "qrels.txt", "run.txt", "run2.txt"], ["scale", "AP@5"]):
        words = [sys.executable, "-m", "mensura", *command]
        try:
            done = subprocess.run(words, capture_output=True, text=True, cwd=campaign, env=environment, user=54321, check=False)
        except PermissionError:
            pytest.skip("an unknown user cannot run this Python")
        if "Permission denied" in done.stderr or "No module named" in done.stderr:
            pytest.skip("an unknown user cannot read this checkout")
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


@pytest.mark.parametrize(
    ("words", "name", "text"),
    [
        (["plan", "lock", "x.toml"], "x.toml", "a = " + DEEP),
        (["reproduce", "x.record.json"], "x.record.json", DEEP),
        (["record", "show", "x.json"], "x.json", DEEP),
        (["record", "add", "run.txt", "--metadata", "x.json"], "x.json", DEEP),
        (["record", "add", "run.txt", "--metadata", "x.toml"], "x.toml", "a = " + DEEP),
        (["ledger", "import", "x.json"], "x.json", DEEP),
        (["evaluate", "x.json", "run.txt"], "x.json", DEEP),
        (["rankings", "x.json", "x.json"], "x.json", DEEP),
    ],
)
def test_deep_nesting(words, name, text, campaign):
    (campaign / name).write_text(text)
    done = mensura(*words, status=2, cwd=campaign, env={**os.environ, "MENSURA_LEDGER": str(campaign / "ledger")})
    assert done.stderr.startswith("mensura: ")
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr


@pytest.mark.parametrize("name", ["x.ipynb", "x.json"])
def test_deep_nesting_in_a_file_that_lint_reads(name, campaign):
    (campaign / name).write_text(DEEP)
    assert f"{name}:1:1: S002 " in mensura("lint", name, status=1, cwd=campaign).stdout


@pytest.mark.parametrize(
    "change",
    [
        {"collections": [{"digest": "0" * 64, "name": "\ud800", "topics": 1, "judgments": 1}]},
        {"collections": [{"digest": "0" * 64, "name": "x", "topics": 10**30, "judgments": 1}]},
        {"collections": [{"digest": "0" * 64, "name": "x", "topics": 1, "judgments": -1}]},
    ],
    ids=["half a character", "large", "negative"],
)
def test_what_a_ledger_cannot_hold(change, campaign):
    document = {"format": "mensura ledger 1", "collections": [], "tests": []} | change
    (campaign / "x.json").write_text(json.dumps(document))
    done = mensura(
        "ledger", "import", "x.json", status=2, cwd=campaign, env={**os.environ, "MENSURA_LEDGER": str(campaign / "ledger")}
    )
    assert done.stderr.startswith("mensura: x.json: ")


PLUGINS = {
    "on import": "raise SystemExit(0)",
    "while it scores": """
from mensura import Measure, register
from dataclasses import dataclass
@register
@dataclass(frozen=True, repr=False, kw_only=True)
class Bye(Measure):
    name = "Bye"
    def score(self, judged):
        raise SystemExit(0)
""",
}


@pytest.mark.parametrize("when", PLUGINS)
def test_a_plugin_that_ends_the_program(when, campaign):
    (campaign / "bye.py").write_text(PLUGINS[when])
    done = mensura("evaluate", "qrels.txt", "run.txt", "-m", "Bye", "--plugin", "bye.py", status=2, cwd=campaign)
    assert "SystemExit" in done.stderr


def test_debug_shows_the_traceback(campaign):
    quiet = mensura("evaluate", "no.txt", "run.txt", status=2, cwd=campaign)
    assert quiet.stderr == "mensura: no.txt: there is no such file\n"
    loud = mensura("--debug", "evaluate", "no.txt", "run.txt", status=2, cwd=campaign)
    assert "Traceback" in loud.stderr
    assert loud.stderr.endswith(quiet.stderr)


@pytest.mark.parametrize("value", ["inf", "nan", "-inf"])
def test_numbers_that_are_not_finite(value, tmp_path):
    assert "invalid finite number" in mensura("simulate", "-o", tmp_path, f"--quality={value}", status=2).stderr


def test_an_array_that_is_too_large(tmp_path):
    done = mensura("simulate", "-o", tmp_path / "x", "--documents", "9999999999999", "--depth", "5", status=2)
    assert "internal error" not in done.stderr


@pytest.mark.parametrize(
    "options", [("--topics", "100000000"), ("--systems", "2000000", "--topics", "2000"), ("--documents", "1000000000")]
)
def test_a_campaign_that_would_take_too_long_is_refused_with_its_cost(options, tmp_path):
    """Before anything is drawn: an hour of drawing, or 16 GB, would be the answer otherwise."""
    done = mensura("simulate", "-o", tmp_path / "x", *options, status=2)
    assert "GB of memory and" in done.stderr
    assert "simulate fewer systems, topics or documents" in done.stderr
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("command", [("record", "show"), ("reproduce",)])
def test_a_record_that_is_nested_too_deeply(command, campaign):
    (campaign / "out.csv").write_text("system,measure,mean\n")
    (campaign / "out.csv.record.json").write_text(DEEP)
    done = mensura(*command, "out.csv", status=2, cwd=campaign)
    assert done.stderr == "mensura: out.csv.record.json: is not a record: it is not valid JSON, or is nested too deeply\n"


def test_a_fault_of_ours_is_called_so(campaign, monkeypatch):
    monkeypatch.setattr("mensura.cli.commands.evaluate.run", lambda arguments: 1 // 0)
    done = mensura("evaluate", "qrels.txt", "run.txt", status=2, cwd=campaign)
    assert done.stderr.startswith("mensura: internal error: ZeroDivisionError")


def test_messages_cannot_move_the_cursor(campaign):
    done = mensura("evaluate", "\x1b[2J\x9b\r.txt", "run.txt", status=2, cwd=campaign)
    assert done.stderr == "mensura: \\u001b[2J\\u009b\\u000d.txt: there is no such file\n"


@posix
def test_a_terminal_gets_no_escape_sequences_of_others(campaign):
    """The output of reproduce and record show for a record from elsewhere."""
    import pty

    record = {"format": "mensura record 1", "research goal": "\x1b]0;owned\x07", "x": "\x9b2J"}
    (campaign / "x.record.json").write_text(json.dumps(record, ensure_ascii=False))
    main, side = pty.openpty()
    process = subprocess.Popen([sys.executable, "-m", "mensura", "record", "show", "x.record.json"], stdout=side, cwd=campaign)
    os.close(side)
    shown = b""
    while True:
        try:
            data = os.read(main, 4096)
        except OSError:
            break
        if not data:
            break
        shown += data
    process.wait()
    os.close(main)
    assert b"\\u009b2J" in shown
    assert not set(shown.replace(b"\r\n", b"")) & {0x1B, 0x07, 0x9B}


@pytest.mark.parametrize("change", ["all", "one"])
def test_a_record_cannot_leave_inputs_out(change, campaign):
    mensura("evaluate", "qrels.txt", "run.txt", "-m", "AP", "-f", "csv", "-o", "out.csv", cwd=campaign)
    path = campaign / "out.csv.record.json"
    record = json.loads(path.read_text())
    record["data"]["inputs"] = [] if change == "all" else record["data"]["inputs"][:1]
    assert mensura("reproduce", "out.csv", cwd=campaign).returncode == 0
    path.write_text(json.dumps(record))
    done = mensura("reproduce", "out.csv", status=2, cwd=campaign)
    assert "among its inputs" in done.stderr


@pytest.mark.parametrize("data", ["We prove it.".encode("utf-16"), b"We prove it.\0\1"], ids=["UTF-16", "binary"])
def test_lint_does_not_pass_what_it_cannot_read(data, tmp_path):
    (tmp_path / "paper.tex").write_bytes(data)
    assert "is not text in UTF-8" in mensura("lint", "paper.tex", status=1, cwd=tmp_path).stdout


@posix
def test_lint_does_not_wait_for_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe.tex")
    assert "is a pipe" in mensura("lint", "pipe.tex", status=2, cwd=tmp_path).stderr


def test_lint_reads_the_runs_that_evaluate_reads(campaign):
    """Columns after the tag are not read, so a seventh column silences nothing."""
    (campaign / "seven.run").write_text(RUN.replace("mine", "mine more"))
    (campaign / "paper.tex").write_text("Our experiments prove it.")
    assert "M001" in mensura("lint", "paper.tex", "seven.run", status=1, cwd=campaign).stdout


@pytest.mark.parametrize("measure", ["RBP(p=0.8)@20000", "AP@99999999", "nDCG@1000000"])
def test_a_scale_that_would_take_hours_is_refused(measure, campaign):
    assert "10000 ranks at most" in mensura("scale", measure, status=2).stderr
    words = ("evaluate", "qrels.txt", "run.txt", "-m", measure, "--interval")
    assert "10000 ranks at most" in mensura(*words, status=2, cwd=campaign).stderr


@pytest.mark.parametrize("measure", ["AP@99999999", "RBP(p=0.8)@10000", "nDCG@1000000"])
def test_statements_about_long_runs_take_no_longer(measure, campaign):
    """The notes about the scale look at 1000 ranks: exact values of longer runs have thousands of digits."""
    done = mensura("meaning", "qrels.txt", "run.txt", "run2.txt", "-m", measure, "--no-interval", cwd=campaign)
    assert measure in done.stdout
    mensura("compare", "qrels.txt", "run.txt", "run2.txt", "-m", measure, cwd=campaign)


@pytest.mark.parametrize("words", [("scale",), ("evaluate", "qrels.txt", "run.txt", "-m")])
def test_a_cut_off_that_no_list_can_have(words, campaign):
    assert "at most 2147483647" in mensura(*words, "P@99999999999999999999", status=2, cwd=campaign).stderr


def test_more_draws_than_memory_holds_are_refused(campaign):
    words = ("compare", "qrels.txt", "run.txt", "run2.txt", "-m", "AP", "--samples", "99999999999")
    assert "at most 100000000 random draws" in mensura(*words, status=2, cwd=campaign).stderr


def test_the_folder_of_a_living_server_stays(tmp_path, monkeypatch):
    """Another container's server has a process number that does not exist here."""
    pytest.importorskip("fastapi")
    from mensura.web.jobs import sessions

    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    alive, dead, foreign = (tmp_path / f"mensura-serve-{number}-x" for number in (999999998, 999999999, 999999997))
    for folder in (alive, dead, foreign):
        folder.mkdir()
    held = sessions.lock_file(alive / sessions.LOCK)
    (dead / sessions.LOCK).touch()
    sessions.clear_remains()
    assert (alive.exists(), dead.exists(), foreign.exists()) == (True, False, True)
    os.close(held)
