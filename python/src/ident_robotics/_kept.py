"""A program that is kept for evaluations of few states: a call costs some microseconds instead of a process."""

from __future__ import annotations

import mmap
import os
import platform
import select
import subprocess
import threading
import time
import weakref
from typing import Any, Optional

import numpy as np

from . import _program

ROWS = 64
"""The largest number of states of a request."""

QUANTITIES = {"inverse-dynamics": 0, "regressor": 1, "base-regressor": 2}

# Words of the memory that is shared with the program; cmd/ident/kept_unix.go has the same.
_ASKED, _QUANTITY, _NUMBER, _LOOKS = range(4)
_ANSWERED, _SLEEPS, _REFUSED, _JOINTS, _COLUMNS = range(8, 13)
_STATES = 16

# Processors of this kind keep the order of stores, so each side may look at the memory until the other has written. On others each side
# waits for a byte from the other, through the kernel.
_KEEPS_ORDER = platform.machine().lower() in ("x86_64", "amd64")

_FLOAT = np.dtype(float)

_yield: Any = getattr(os, "sched_yield", int)

# Python looks for the answer for this long, in s: some times the time of an answer. If it is not there, the cores are busy, and this many
# calls wait for bytes, whose writer gets a core at once.
_PATIENCE = 50e-6
_CALLS_BY_BYTES = 200


class Kept:
    """The program of a robot or of a result, started at the first call. It ends with this object, and with the process.

    Calls of several threads take turns. A forked child, a copy and a pickle begin without a program. A program that died is started anew.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: "Optional[_Running]" = None
        _all.add(self)

    def __reduce__(self) -> Any:
        return Kept, ()

    def at_once(self, subject: str, quantity: str, q: Any, dq: Any, ddq: Any) -> Any:
        """Return what :meth:`values` does for arrays of floats, in a controller's loop, or None: for the first request, and for others."""
        with self._lock:
            running = self._running
            if running is None or running.words_of_call[0] is not subject:
                return None
            try:
                return running.answer() if running.takes(quantity, q, dq, ddq) else None
            except EOFError:  # the program died: the call after this one starts it anew
                self._running = None
                running.end()
                return None
            except BaseException:  # Ctrl-C, mostly: the answer may still come
                self._running = None
                running.stop()
                raise

    def values(self, words: list[str], quantity: str, states: Any) -> Any:
        """Return a quantity at states, the number N and q, dq and ddq as :func:`_arrays.few` has them, as an array (N, n, p).

        It is None if the quantity cannot be evaluated there. ``words`` are the subject of the evaluation and its options. N is at most ROWS.
        """
        with self._lock:
            for attempt in range(2):
                if self._running is None or self._running.words_of_call != words:
                    self._running = _Running(words)
                try:
                    return self._running.values(quantity, states)
                except EOFError:
                    error = self._running.end()
                    self._running = None
                    if attempt == 1:
                        raise error from None
                except BaseException:  # Ctrl-C, mostly: the answer may still come
                    self._running.stop()
                    self._running = None
                    raise
        raise AssertionError

    def _after_fork(self) -> None:
        """Let go of the parent's program."""
        self._lock = threading.Lock()
        if self._running is not None:
            self._running.let_go()
            self._running = None


# Those of this process.
_all: "weakref.WeakSet[Kept]" = weakref.WeakSet()


def _after_fork() -> None:
    for kept in list(_all):
        kept._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class _Running:
    """A program that runs, with the memory that is shared with it."""

    def __init__(self, words: list[str]) -> None:
        self.words_of_call = words
        with _program.scratch() as folder:
            path = os.path.join(folder, "states")
            with _program.of_the_system("the memory of the states"), open(path, "xb+") as file:
                self._process: Any = subprocess.Popen(
                    [_program.program(), "evaluate", words[0], path, "--kept", *words[1:]],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                    env={**os.environ, "IDENT_CALLER": ""}, **_program._apart())
                self._asks, self._answers = self._process.stdin.fileno(), self._process.stdout.fileno()
                self.stop = weakref.finalize(self, _end, self._process)
                try:
                    if os.read(self._answers, 1) != b"\0":
                        raise self.end()
                    self._memory = mmap.mmap(file.fileno(), 0)
                except BaseException:
                    self.stop()
                    raise
        self._words = memoryview(self._memory).cast("Q")
        self._joints = self._words[_JOINTS]
        self._words[_LOOKS] = int(_KEEPS_ORDER)
        self._number, self._by_bytes = 0, 0
        self._poll = select.poll()
        self._poll.register(self._answers, select.POLLIN)
        self._asked: Any = None  # quantity and number of states of the last request
        self._shape: Any = None  # of its positions
        self._at: "list[Any]" = []  # places of q, dq and ddq for that number
        self._out: Any = None  # place of the values
        self._values: "dict[tuple[str, int], Any]" = {}

    def takes(self, quantity: str, q: Any, dq: Any, ddq: Any) -> bool:
        """Take the states of the next answer, unless they are something else than as many arrays of floats as the program takes."""
        kind = np.ndarray
        if type(q) is not kind or q.dtype is not _FLOAT:
            return False
        shape = q.shape
        if shape != self._shape and not (shape == (self._joints,) or len(shape) == 2 and shape[1] == self._joints and 0 < shape[0] <= ROWS):
            return False
        if dq is None:
            dq = 0.0
        elif type(dq) is not kind or dq.shape != shape or dq.dtype is not _FLOAT:
            return False
        if ddq is None:
            ddq = 0.0
        elif type(ddq) is not kind or ddq.shape != shape or ddq.dtype is not _FLOAT:
            return False
        if shape != self._shape or quantity != self._asked[0]:
            self._ask(quantity, shape)
        at = self._at
        at[0][...] = q
        at[1][...] = dq
        at[2][...] = ddq
        return True

    def values(self, quantity: str, states: Any) -> Any:
        rows, *given = states
        self._ask(quantity, (rows, self._joints))
        for at, x in zip(self._at, given):
            at[...] = x
        return self.answer()

    def _ask(self, quantity: str, shape: "tuple[int, ...]") -> None:
        """Prepare the memory for states of a shape."""
        rows = 1 if len(shape) == 1 else shape[0]
        self._asked, self._shape = (quantity, rows), shape
        self._out = self._values.get(self._asked)
        place = self._part(_STATES, rows, 3, self._joints)
        self._at = [place[:, k].reshape(shape) for k in range(3)]
        self._words[_QUANTITY], self._words[_NUMBER] = QUANTITIES[quantity], rows

    def answer(self) -> Any:
        """Return the values at the states that are in the memory."""
        words = self._words
        self._number = number = self._number + 1
        words[_ASKED] = number
        if _KEEPS_ORDER and not self._by_bytes:
            if words[_ANSWERED] != number:
                self._look(number)
        else:
            self._write()
            self._read()
            while words[_ANSWERED] != number:  # a byte may be left of an answer that was seen before it
                self._read()
            if self._by_bytes:
                self._by_bytes -= 1
                words[_LOOKS] = not self._by_bytes
        if words[_REFUSED]:
            return None
        if self._out is None:
            rows = self._asked[1]
            self._out = self._values[self._asked] = self._part(_STATES + ROWS * 3 * self._joints, rows, self._joints, words[_COLUMNS])
        return self._out.copy()

    def _part(self, first: int, *shape: int) -> Any:
        return np.frombuffer(self._memory, float, int(np.prod(shape)), 8 * first).reshape(shape)

    def _look(self, number: int) -> None:
        """Wait for the answer: look for it for a short time, then wait for a byte."""
        words, woken, until, times = self._words, False, 0.0, 400
        while True:
            for _ in range(times):
                if words[_ANSWERED] == number:
                    return
            # The program may have fallen asleep just when it was asked.
            if not woken and words[_SLEEPS]:
                self._write()
                woken = True
            _yield()  # the program may wait for this core
            times = 50
            now = time.perf_counter()
            until = until or now + self._asked[1] * _PATIENCE
            if now >= until:
                break
        words[_LOOKS], self._by_bytes = 0, _CALLS_BY_BYTES
        if not woken:
            self._write()
        while words[_ANSWERED] != number:
            # The program may have answered just before it could see _LOOKS: look again after 10 ms.
            if self._poll.poll(10):
                self._read()

    def _write(self) -> None:
        try:
            os.write(self._asks, b"\n")
        except OSError:
            raise EOFError from None

    def _read(self) -> None:
        if not os.read(self._answers, 1):
            raise EOFError

    def end(self) -> _program.Error:
        """End the program and return what it said at its end, as an error."""
        self._process.stdin.close()
        try:
            said = self._process.stderr.read().decode("utf-8", "replace").splitlines()
        except (OSError, ValueError):
            said = []
        self.stop()
        return _program._error(self._process.returncode or 1, said, b"")

    def let_go(self) -> None:
        """Forget the program of a parent process."""
        self.stop.detach()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            stream.close()
        self._process.returncode = 0  # it is no child of this process


def _end(process: Any) -> None:
    """End a program: standard input ends, and a program that hangs is killed."""
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
