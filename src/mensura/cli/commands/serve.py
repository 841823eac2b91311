"""``mensura serve``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mensura.cli.shared.options import positive
from mensura.errors import MensuraError

if TYPE_CHECKING:
    import socket
    from argparse import ArgumentParser, Namespace

    from mensura.web.settings import Settings

MEGABYTE = 1 << 20


def configure(parser: ArgumentParser) -> None:
    """The options."""
    parser.description = (
        "Serve the web page: rankings, scales, orders, meaning, and evaluation of your files. Nothing leaves this machine.\n"
        "Only this machine can reach it, unless --host says otherwise; then visitors need a token, which is part of the link."
    )
    parser.epilog = "examples: mensura serve\n          mensura serve --host 0.0.0.0 --port 8080"
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8765, help="port; 0 for any that is free (default: %(default)s)")
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="NAME",
        help="host name of a proxy that requests come through; visitors need a token then (repeat)",
    )
    parser.add_argument("--token", help="access token of visitors (default: a random one, if others can reach the server)")
    parser.add_argument(
        "--upload", type=positive, default=1024, metavar="MB", help="megabytes that a visitor can upload (default: %(default)s)"
    )
    parser.add_argument(
        "--seconds", type=positive, default=600, metavar="S", help="seconds that an evaluation can take (default: %(default)s)"
    )
    parser.add_argument(
        "--jobs", type=positive, metavar="N", help="number of simultaneous evaluations (default: half of the cores)"
    )


def run(arguments: Namespace) -> int:
    """Serve until the process is stopped."""
    try:
        import fastapi  # noqa: F401 - is it installed?
        import uvicorn
    except ImportError as error:
        raise MensuraError(f"mensura serve needs {error.name}: pip install 'mensura[web]'") from None
    from mensura.web.app import create_app

    settings = make_settings(arguments)
    listener = listen(arguments.host, arguments.port)
    config = uvicorn.Config(create_app(settings), log_level="warning", access_log=False, server_header=False)
    shown = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    port = listener.getsockname()[1]
    secret = "" if settings.token is None else f"?token={settings.token}"
    sys.stdout.write(f"Mensura is at http://{shown}:{port}/{secret}\nCtrl-C stops it; uploads are deleted then.\n")
    sys.stdout.flush()
    uvicorn.Server(config).run([listener])
    return 0


def make_settings(arguments: Namespace) -> Settings:
    """The settings that the options ask for."""
    import secrets
    from dataclasses import replace

    from mensura.web.settings import Limits, Settings, is_loopback

    private = is_loopback(arguments.host)
    token = arguments.token
    if token is None and (arguments.name or not private):
        token = secrets.token_urlsafe(24)
    limits = replace(Limits(), upload=arguments.upload * MEGABYTE, job_seconds=float(arguments.seconds))
    settings = Settings(arguments.host, arguments.port, token, tuple(arguments.name) if private else None, limits)
    return settings if arguments.jobs is None else replace(settings, evaluating=arguments.jobs)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, or raise an error that says why there is none."""
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()  # who calls now is answered as soon as the application is there
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise MensuraError(f"cannot listen on {host}:{port}: {reason}; choose another with --host and --port") from None
    return listener
