"""Middleware: host and origin checks, access tokens, request limits, and the security headers of every response.

It is plain ASGI, so that bodies stream through it.

- *Host*: a page of another site could make its own name resolve to 127.0.0.1 (DNS rebinding). Requests must be addressed to a name
  of this server.
- *Origin*: a page of another site can send a request, although it cannot read the answer. A request that changes or computes
  something must come from a page of this server, or from no page at all.
- *Token*: beyond the loopback interface a visitor must know a secret. A link with ``?token=`` sets a cookie and redirects to the
  address without it.
- *Size*: a body whose declared length is too large is refused before it is read, any other as soon as it exceeds the limit.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from mensura.web.settings import is_loopback

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from mensura.web.settings import Settings

COOKIE = "mensura_token"
UPLOADS = "/api/files"
POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
SAFE = {"GET", "HEAD", "OPTIONS"}
ASK = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Mensura</title><h1>Mensura</h1><p>This server needs a token, which is part of the link that it printed when it started.</p>
<form><label>Token <input name="token" type="password" autocomplete="off" required></label> <button>Enter</button></form></html>"""


class TooLargeError(HTTPException):
    """A body that exceeds the limit of the server."""

    def __init__(self, most: int) -> None:
        super().__init__(413, too_large_text(most), {"Connection": "close"})


class Guard:
    """The middleware: it refuses a request, or passes it on and adds the headers of the response."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if "cache-control" not in headers:
                    headers["Cache-Control"] = "no-store"
            await send(message)

        headers = Headers(scope=scope)
        refused = self._refused(scope, headers)
        if refused is not None:
            await refused(scope, receive, dressed)
            return
        most = self.settings.limits.upload if scope["path"] == UPLOADS else self.settings.limits.body
        await self.app(scope, counted(receive, most), dressed)

    def _refused(self, scope: Scope, headers: Headers) -> Response | None:
        host = host_name(headers.get("host", ""))
        if not self._known(host):
            return problem(403, f"this server does not answer to the name {host!r}; start it with --name to allow that")
        if scope["method"] not in SAFE and not same_origin(headers):
            return problem(403, "the request came from a page of another site")
        refused = self._without_token(scope, headers)
        if refused is not None:
            return refused
        most = self.settings.limits.upload if scope["path"] == UPLOADS else self.settings.limits.body
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            return too_large(most)
        return None

    def _known(self, host: str) -> bool:
        names = self.settings.names
        return names is None or is_loopback(host) or host in names

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the response to a request without the token, or the redirect that turns the token of a link into a cookie."""
        token = self.settings.token
        if token is None:
            return None
        cookies = cookie_parser(headers.get("cookie", ""))
        shown = cookies.get(COOKIE) or headers.get("authorization", "").removeprefix("Bearer ")
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        linked = dict(query).get("token")
        if linked is not None and scope["method"] == "GET" and same(linked, token):
            rest = urlencode([(key, value) for key, value in query if key != "token"])
            answer = RedirectResponse(scope["path"] + (f"?{rest}" if rest else ""), 303)
            secure = scope.get("scheme") == "https"
            answer.set_cookie(COOKIE, token, httponly=True, samesite="strict", secure=secure, max_age=30 * 86400)
            return answer
        if same(shown, token):
            return None
        if scope["path"].startswith("/api") or scope["path"] == "/openapi.json":
            return problem(401, "this server needs a token; send it in the header Authorization: Bearer TOKEN")
        return HTMLResponse(ASK, 401)


def host_name(host: str) -> str:
    """Return the name that a request is addressed to, without the port; empty if it is malformed."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def same(one: str, other: str) -> bool:
    """Compare two secrets in constant time."""
    return hmac.compare_digest(one.encode("utf-8", "surrogateescape"), other.encode())


def same_origin(headers: Headers) -> bool:
    """Return whether the request comes from a page of this server, or from no page."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site not in {None, "same-origin", "none"}:
        return False
    return origin is None or origin.partition("://")[2] == headers.get("host", "")


def counted(receive: Receive, most: int) -> Receive:
    """Return ``receive`` with a limit on the bytes of the body."""
    seen = 0

    async def count() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise TooLargeError(most)
        return message

    return count


def problem(status: int, text: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """Return a response that says what is wrong."""
    return JSONResponse({"detail": text}, status, headers)


def too_large(most: int) -> JSONResponse:
    """Return the response to a body that is too long; the connection is closed, so that the rest is not read."""
    return problem(413, too_large_text(most), {"Connection": "close"})


def too_large_text(most: int) -> str:
    """Return the message for a body that is too long."""
    return f"larger than the {most >> 20} MB that this server accepts at once; use the command line for larger files"
