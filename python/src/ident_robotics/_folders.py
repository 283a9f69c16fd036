"""Temporary folders, which end with the process that made them, and what of them a pickle carries."""

from __future__ import annotations

import contextlib
import os
import pathlib
import pickle
import re
import secrets
import shutil
import stat
import tempfile
import weakref
from collections.abc import Iterator
from typing import Any, Optional

try:
    import fcntl
except ImportError:  # Windows, where folders of killed processes stay
    fcntl = None  # type: ignore[assignment]

# The names that the program itself gives: it and this package remove the folders of each other's killed processes.
_NAME = ".ident-%s.tmp"
_NAMES = re.compile(r"\.ident-[0-9a-f]{16}\.tmp")


# The descriptors that lock the folders of this process. A forked child lets go of them.
_locks: dict[str, int] = {}


class Folder:
    """A temporary folder, removed with this object or by cleanup, and never by a forked child.

    It is locked while the process lives, and the next folder's maker removes it after a process that was killed.
    """

    def __init__(self) -> None:
        within = tempfile.gettempdir()
        _sweep(within)
        self.name, lock = _make(within)
        if lock is not None:
            _locks[self.name] = lock
        self._removal = weakref.finalize(self, _remove, self.name, os.getpid())

    def cleanup(self) -> None:
        self._removal()

    def __enter__(self) -> str:
        return self.name

    def __exit__(self, *_: object) -> None:
        self.cleanup()


def _make(within: str) -> "tuple[str, Optional[int]]":
    while True:
        name = os.path.join(within, _NAME % secrets.token_hex(8))
        try:
            os.mkdir(name, 0o700)
        except FileExistsError:
            continue
        if fcntl is None:
            return name, None
        try:
            lock = os.open(name, os.O_RDONLY)
        except FileNotFoundError:
            continue  # another maker took it for stale before it was locked
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError:  # a file system without locks
            os.close(lock)
            return name, None
        if _is(name, lock):
            return name, lock
        os.close(lock)


def _is(name: str, lock: int) -> bool:
    try:
        return os.path.samestat(os.lstat(name), os.fstat(lock))
    except OSError:
        return False


def _remove(name: str, maker: int) -> None:
    if os.getpid() == maker:
        shutil.rmtree(name, ignore_errors=True)
        lock = _locks.pop(name, None)
        if lock is not None:
            os.close(lock)


def _after_fork() -> None:
    for lock in _locks.values():
        with contextlib.suppress(OSError):
            os.close(lock)
    _locks.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _sweep(within: str) -> None:
    """Remove the folders of killed processes. A failure is ignored: they harm nothing."""
    if fcntl is None:
        return
    with contextlib.suppress(OSError):
        for entry in os.scandir(within):
            if not _NAMES.fullmatch(entry.name) or entry.is_symlink():
                continue
            with contextlib.suppress(OSError):
                lock = os.open(entry.path, os.O_RDONLY | os.O_NONBLOCK)
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if _is(entry.path, lock) and stat.S_ISDIR(os.fstat(lock).st_mode):
                        shutil.rmtree(entry.path, ignore_errors=True)
                finally:
                    os.close(lock)


class OnDisk:
    """An object whose files are in ``folder``. A pickle or a copy carries them, and is an object with a temporary folder of its own."""

    folder: str
    _keep: "Optional[Folder]"

    def __getstate__(self) -> dict[str, Any]:
        files = dict(_files(self.folder))
        if not files:
            raise pickle.PicklingError("%s holds no files any more: there is nothing to carry" % self.folder)
        return {**self.__dict__, "_keep": None, "_files": files}

    def __setstate__(self, state: dict[str, Any]) -> None:
        files = state.pop("_files")
        self.__dict__.update(state)
        self._keep = Folder()
        self._moved(os.path.join(self._keep.name, "result"))
        for name, content in files.items():
            path = pathlib.Path(self.folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def _moved(self, folder: str) -> None:
        """Take the files from another folder."""
        self.folder = folder


def _files(folder: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()
