"""Logs: the check of a log with its robot, and logs of any format as tables."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional, cast

from . import _arrays, _keywords, _program

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Union

    import pandas
    from typing_extensions import Unpack

    from ._arrays import Log
    from ._options import CheckOptions, ConvertOptions, Path
    from .documents import CheckDocument
    from .robots import Robot


class Check:
    """What the doctor found in a log."""

    def __init__(self, document: "CheckDocument", words: list[str], logs: "tuple[Any, Any]") -> None:
        self.document = document
        self._words, self._logs = words, logs

    @property
    def ok(self) -> bool:
        """Whether nothing was found that forbids a fit."""
        return self.document["ok"]

    @property
    def findings(self) -> "pandas.DataFrame":
        """Table of the findings: id, severity, channel, joint, where, why and fix."""
        return _arrays.records(self.document["findings"], ("id", "severity", "log", "channel", "joint", "value", "limit", "where", "why", "fix"))

    @property
    def channels(self) -> "pandas.DataFrame":
        """Table of what the channels of the joints hold: quantity and kind, and how far the kind is told from the next."""
        return _arrays.records(self.document.get("channels"), ("log", "channel", "joint", "quantity", "kind", "evidence", "next_kind"))

    def fix(self, path: "Path", *, overwrite: bool = False) -> None:
        """Write the log with the repairs that the findings propose; the extension says the format."""
        logs, robot = self._logs
        with _program.scratch() as folder:
            words = ["check", *_arrays.logs(logs, folder, "frame"), *_robot(robot), *self._words, "--fix=" + _program.path(path)]
            _program.call(words + (["--overwrite"] if overwrite else []), private=folder)

    def __repr__(self) -> str:
        return "<Check %s, %d findings>" % ("ok" if self.ok else "with errors", len(self.document["findings"] or []))


def check(logs: "Union[Log, Iterable[Log]]", robot: "Union[Path, Robot, None]" = None, *, progress: "Optional[_program.Progress]" = None, **options: "Unpack[CheckOptions]") -> Check:
    """Look for faults of logs and of a robot file: clock, units, signs, lags, order of joints.

    >>> import ident_robotics as ident
    >>> log, urdf = ident.example()
    >>> ident.check(log, robot=urdf).ok
    True
    """
    words = _keywords.words("check", options)
    if isinstance(logs, Iterator):  # Check.fix reads them again
        logs = list(logs)
    with _program.scratch() as folder:
        document = _program.call(["check", *_arrays.logs(logs, folder, "frame"), *_robot(robot), *words], progress, folder)
    return Check(document, words, (logs, robot))


def read_log(path: "Path", **options: "Unpack[ConvertOptions]") -> "pandas.DataFrame":
    """Read a log of any format that the program reads (CSV, Parquet, MCAP, bags, .mat, .npz, …), in SI units.

    >>> import ident_robotics as ident
    >>> len(ident.read_log(ident.example()[0])["t"])
    6001
    """
    words = _keywords.words("convert", options)
    with _program.scratch() as folder:
        out = os.path.join(folder, "log.npz")
        _program.run(["convert", _program.path(path), *words, "-o", out], private=folder)
        return _arrays.frame(_arrays.read(out))


@functools.lru_cache(maxsize=None)
def _example_folder() -> _program.Folder:
    folder = _program.scratch()
    _program.run(["demo", "--files", "-o", folder.name], private=folder.name)
    return folder


def example() -> tuple[str, str]:
    """Return the paths of a log and of its robot, a Puma 560. The program writes them to a folder that is removed when Python ends."""
    folder = _example_folder().name
    return os.path.join(folder, "example.parquet"), os.path.join(folder, "puma560.urdf")


def _robot(robot: Any) -> list[str]:
    path = getattr(robot, "path", robot)  # of a Robot
    return [] if path is None else ["--robot=" + _program.path(cast("Any", path))]
