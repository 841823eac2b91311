"""The server's guard: hosts, origins, tokens and limits of requests."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import socket
from urllib.parse import urlsplit

import httpx
import pytest

from mensura.web.jobs.sessions import clean_name, storage_path
from mensura.web.settings import is_loopback

KNOWN = "very-secret"
RUN = b"1 Q0 d1 1 2.0 tag\n"


def test_every_answer_has_a_strict_policy(client):
    for path in ("/", "/rankings", "/api/order", "/nowhere", "/openapi.json"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_pages_hold_no_inline_script_or_style(client):
    for path in ("/", "/rankings", "/scales", "/order", "/meaning", "/evaluate", "/api"):
        text = client.get(path).text
        assert " style=" not in text
        assert "<style" not in text
        assert text.count("<script") == text.count('<script type="module" src="/static/')
        assert "http://" not in text
        assert "https://" not in text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", ""])
def test_other_names_are_refused(client, host):
    # DNS rebinding: the name of another site that leads here
    assert client.get("/api/order", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:8765"])
def test_names_of_the_loopback_are_known(client, host):
    assert client.get("/api/order", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({}, 200),
    ],
)
def test_requests_by_way_of_other_sites_are_refused(client, headers, status):
    body = {"first": ["a"], "second": ["a"]}
    assert client.post("/api/rankings", json=body, headers=headers).status_code == status
    own = {"Origin": f"{client.base_url.scheme}://{client.base_url.netloc.decode()}"}
    assert client.post("/api/rankings", json=body, headers=own).status_code == 200


def test_a_token_is_asked_for(small):
    server = small(token=KNOWN)
    assert server.get("/api/order").status_code == 401
    page = server.get("/rankings?h=1/i")
    assert page.status_code == 401
    assert "very-secret" not in page.text
    assert server.get("/rankings?token=wrong").status_code == 401
    assert server.get("/api/order", headers={"Authorization": "Bearer very-secret"}).status_code == 200
    entered = server.get("/rankings?h=1/i&token=very-secret")
    assert entered.status_code == 303
    assert entered.headers["location"] == "/rankings?h=1%2Fi"
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert server.get("/rankings").status_code == 200


def test_a_long_body_is_refused_before_it_is_read(small):
    server = small(upload=1000)
    where = urlsplit(str(server.base_url))
    line = http.client.HTTPConnection(where.hostname, where.port, timeout=300)
    line.putrequest("POST", "/api/files?kind=run&name=a")
    line.putheader("Content-Length", str(2 << 30))
    line.endheaders()  # nothing of the 2 GB is sent
    answer = line.getresponse()
    assert answer.status == 413
    assert b"command line" in answer.read()
    line.close()
    assert server.get("/api/order").status_code == 200


def test_a_body_that_lies_about_its_length_is_refused(small):
    server = small(upload=100_000, body=10_000)

    def endless():
        for _ in range(100):
            yield b"x" * 10_000

    with contextlib.suppress(httpx.TransportError):  # the server may hang up while the client still sends
        assert server.post("/api/files?kind=run&name=a", content=endless()).status_code == 413
    server.cookies.clear()
    assert server.get("/api/files").json() == []
    assert server.post("/api/rankings", content=b"[" * 20_000).status_code == 413


def test_a_compressed_file_that_would_burst_is_refused(small):
    server = small(inflated=1 << 20)
    bomb = gzip.compress(bytes(64 << 20), 9)  # 64 MB of zeros in 64 KB
    assert len(bomb) < 70_000
    answer = server.post("/api/files?kind=run&name=run.gz", content=bomb)
    assert answer.status_code == 413
    assert server.get("/api/files").json() == []
    assert server.post("/api/files?kind=run&name=run.gz", content=gzip.compress(RUN)).status_code == 201


def test_a_damaged_file_is_refused(fresh):
    answer = fresh.post("/api/files?kind=run&name=run.gz", content=gzip.compress(RUN * 1000)[:40])
    assert answer.status_code == 422
    assert "damaged" in answer.json()["detail"]


def test_what_a_session_may_keep(small):
    server = small(upload=3000, files=2)
    assert server.post("/api/files?kind=run&name=a", content=b"x" * 2000).status_code == 201
    assert server.post("/api/files?kind=run&name=b", content=b"x" * 2000).status_code == 413
    assert server.post("/api/files?kind=run&name=b", content=b"x").status_code == 201
    assert server.post("/api/files?kind=run&name=c", content=b"x").status_code == 422


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\runs\\a.txt", "a.txt"),
        ("\x00\n\r", "file"),
        ("<b>.run", "<b>.run"),
        ("a" * 999, "a" * 120),
    ],
)
def test_names_of_files(name, kept, tmp_path):
    assert clean_name(name) == kept
    where = storage_path(tmp_path, name)
    assert where.parent == tmp_path
    assert "etc" not in where.name
    assert where.suffix in {"", ".txt", ".run"}


def test_junk_on_the_line_does_no_harm(client):
    where = urlsplit(str(client.base_url))
    for junk in (
        b"\x00\xff\xfe\r\n\r\n",
        b"GET /%ff%fe HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"POST /api/rankings HTTP/1.1\r\nHost: [\r\n\r\n",
    ):
        with socket.create_connection((where.hostname, where.port), 10) as line:
            line.sendall(junk)
            assert not line.recv(100).startswith(b"HTTP/1.1 5")
    assert client.get("/api/order").status_code == 200


def test_loopback():
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("0.0.0.0")  # noqa: S104
    assert not is_loopback("lab.example")
