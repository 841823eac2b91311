"""PRIMAD: platform, research goal, implementation, method, actor and data of a result (Ferro et al. 2016)."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from mensura.errors import RecordError
from mensura.record.commit import commit_of
from mensura.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LIBRARIES = ("numpy", "scipy", "vl-convert-python", "isal", "backports.zstd")


@dataclass(frozen=True, slots=True)
class Input:
    """An input of a result. Its digest names its algorithm, e.g. ``blake3:…``; a pipe, which cannot be read again, has none."""

    role: str
    path: str
    digest: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Result):
    """The origin of a result.

    It has no time, and no name of a person unless one was named: the same command on the same files and machine has the same
    record.

    Attributes
    ----------
    platform
        The machine and its software: system, processor, Python, libraries.
    goal
        The research goal, if it was given.
    implementation
        Mensura's version, and its commit if it runs from a checkout.
    method
        The command, as words.
    actor
        Who made it, if that was given. It is never guessed.
    inputs, parameters
        The data: files with their digests, and every option with its value.
    results
        The files that were made: path and digest.
    folder
        The folder that paths are seen from, as seen from the folder of the record.
    """

    platform: Mapping[str, Any]
    goal: str | None
    implementation: Mapping[str, Any]
    method: tuple[str, ...]
    actor: str | None
    inputs: tuple[Input, ...]
    parameters: Mapping[str, Any]
    results: tuple[tuple[str, str], ...] = ()
    folder: str = "."

    def with_results(self, results: Iterable[tuple[str, str]], folder: str) -> Record:
        """The same record for files that have been written."""
        return replace(self, results=tuple(results), folder=folder)

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Self:
        """Return the record that :meth:`to_dict` wrote."""
        try:
            data = document["data"]
            return cls(
                platform=document["platform"],
                goal=document["research goal"],
                implementation=document["implementation"],
                method=tuple(document["method"]["arguments"]),
                actor=document["actor"],
                inputs=tuple(Input(each["role"], each["path"], digest_in(each)) for each in data["inputs"]),
                parameters=data["parameters"],
                results=tuple((each["path"], digest_in(each) or "") for each in data["results"]),
                folder=data["folder"],
            )
        except (KeyError, TypeError) as error:
            raise RecordError(f"expected a record, got a document without {error}") from error

    def to_dict(self) -> dict[str, Any]:
        """Return the record as it is written into JSON, by PRIMAD's parts."""
        return {
            "format": "mensura record 1",
            "platform": dict(self.platform),
            "research goal": self.goal,
            "implementation": dict(self.implementation),
            "method": {"command": self.method[0] if self.method else None, "arguments": list(self.method)},
            "actor": self.actor,
            "data": {
                "folder": self.folder,
                "inputs": [{"role": one.role, "path": one.path, **_named(one.digest)} for one in self.inputs],
                "parameters": dict(self.parameters),
                "results": [{"path": path, **_named(digest)} for path, digest in self.results],
            },
        }


ALGORITHMS = ("blake3", "sha256")  # of records, and of those that were written before


def digest_in(document: Mapping[str, Any]) -> str | None:
    """Return the digest of a file that a record describes, with its algorithm; ``None`` if it has none."""
    algorithm = next((name for name in ALGORITHMS if name in document), None)
    if algorithm is None:
        raise KeyError(ALGORITHMS[0])
    value = document[algorithm]
    return None if value is None else f"{algorithm}:{value}"


def _named(digest: str | None) -> dict[str, str | None]:
    """Return a digest under the name of its algorithm."""
    if digest is None:
        return {ALGORITHMS[0]: None}
    algorithm, _, value = digest.rpartition(":")
    return {algorithm or "sha256": value}  # without a name, as before there were two


def record(
    arguments: Sequence[str],
    inputs: Iterable[tuple[str, str | os.PathLike[str]]] = (),
    parameters: Mapping[str, Any] | None = None,
    *,
    goal: str | None = None,
    actor: str | None = None,
    digests: Mapping[str, str | None] | None = None,
) -> Record:
    """A record of a command, as words, with its input files as (role, path).

    ``goal`` and ``actor`` are those of MENSURA_GOAL and MENSURA_ACTOR if they are not given. ``digests`` are those of the inputs if
    they are known already.

    Examples
    --------
    >>> record(["scale", "AP@5"], parameters={"length": None}).to_dict()["method"]
    {'command': 'scale', 'arguments': ['scale', 'AP@5']}
    """
    from mensura.engines.threads import spread
    from mensura.io.digests import labelled_digest

    files = [(role, os.fspath(path)) for role, path in inputs]
    if digests is None:
        paths = [path for _, path in files if os.path.isfile(path)]
        digests = dict(zip(paths, spread(labelled_digest, paths), strict=True))
    return Record(
        platform=describe_platform(),
        goal=goal or os.environ.get("MENSURA_GOAL") or None,
        implementation=describe_implementation(),
        method=tuple(arguments),
        actor=actor or os.environ.get("MENSURA_ACTOR") or None,
        inputs=tuple(Input(role, path, digests.get(path)) for role, path in files),
        parameters={} if parameters is None else parameters,
    )


def describe_platform() -> dict[str, Any]:
    """The machine and its software."""
    import platform

    from mensura.engines.threads import available_cores

    return {
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "cores": available_cores(),
        "python": f"{platform.python_implementation()} {sys.version.split()[0]}",
        "libraries": _versions(),
    }


def _versions() -> dict[str, str]:
    """Versions of libraries, from the names of their folders: importlib.metadata would take ten times as long."""
    versions: dict[str, str] = {}
    for place in sys.path:
        try:
            names = [name for name in os.listdir(place or ".") if name.endswith(".dist-info")]
        except OSError:
            continue
        for name in names:
            library, _, version = name.removesuffix(".dist-info").partition("-")
            versions.setdefault(library.replace("_", "-").replace(".", "-").lower(), version)
    folders = {library: library.replace(".", "-") for library in LIBRARIES}
    return {library: versions[name] for library, name in folders.items() if name in versions}


def describe_implementation() -> dict[str, Any]:
    """Mensura's version, and its commit if this is a checkout of it."""
    import mensura

    root = Path(mensura.__file__).resolve().parents[2]
    checkout = (root / ".git").exists() and (root / "src" / "mensura").is_dir()
    return {"name": "mensura", "version": mensura.__version__, "commit": commit_of(root) if checkout else None}
