"""Settings of a server, and its limits."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Limits of a session, a request and a job."""

    upload: int = 1024 * MEGABYTE
    """Bytes that a session may upload."""
    inflated: int = 8192 * MEGABYTE
    """Bytes that the files of a session may inflate to."""
    files: int = 500
    """Files of a session."""
    body: int = 2 * MEGABYTE
    """Bytes of a request other than an upload."""
    seconds: float = 10.0
    """For an answer that a page waits for."""
    job_seconds: float = 600.0
    """For an evaluation."""
    memory: int = 8192 * MEGABYTE
    """Bytes of memory of a process that computes."""
    waiting: int = 20
    """Evaluations that may wait."""
    sessions: int = 500
    session_seconds: float = 7200.0
    """Seconds that a session lives without a request."""


@dataclass(frozen=True)
class Settings:
    """Address of the server, its names, its token and its limits.

    Attributes
    ----------
    token
        Secret that a visitor must know; ``None`` for none, which is only safe on the loopback interface.
    names
        Host names that requests may be addressed to, besides those of the loopback interface; ``None`` for any.
    answering, evaluating
        Numbers of processes that compute answers and evaluations.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = None
    names: tuple[str, ...] | None = ()
    limits: Limits = Limits()
    answering: int = 2
    evaluating: int = max(1, (os.cpu_count() or 2) // 2)


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach the address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
