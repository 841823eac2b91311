"""The commit that a folder is at, read from git's own files: no program is run in a folder that may be anybody's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def commit_of(folder: Path) -> str | None:
    """The commit that is checked out in a folder or in one above it, or ``None``."""
    for place in (folder.resolve(), *folder.resolve().parents):
        if (place / ".git").exists():
            try:
                return _head(place / ".git")
            except (OSError, UnicodeDecodeError):
                return None
    return None


def _head(git: Path) -> str | None:
    if git.is_file():  # a worktree, or a submodule: the file says where its folder is
        git = git.parent / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
    shared = git / (git / "commondir").read_text(encoding="utf-8").strip() if (git / "commondir").is_file() else git
    head = (git / "HEAD").read_text(encoding="utf-8").strip()
    if not head.startswith("ref:"):
        return head if COMMIT.fullmatch(head) else None
    name = head.removeprefix("ref:").strip()
    for place in (git, shared):
        if (place / name).is_file():
            commit = (place / name).read_text(encoding="utf-8").strip()
            return commit if COMMIT.fullmatch(commit) else None
    packed = shared / "packed-refs"
    lines = packed.read_text(encoding="utf-8").splitlines() if packed.is_file() else []
    return next((line.split(" ")[0] for line in lines if line.endswith(f" {name}") and COMMIT.match(line)), None)
