"""Runs the command line as a user does: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys


def mensura(*arguments, status=0, stdin=None, **options):
    """The finished process; its exit status must be the expected one."""
    command = [sys.executable, "-m", "mensura", *map(os.fspath, arguments)]
    done = subprocess.run(
        command, capture_output=True, input=stdin, check=False, encoding="utf-8", errors="surrogateescape", **options
    )
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done
