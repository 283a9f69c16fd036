"""The program ident, as a process: its place, its calls, its errors, its end."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Optional

from ._folders import Folder

Progress = Callable[[str, int, int], None]
"""Called with the name of a stage, the steps done and the steps in all."""


class Error(Exception):
    """A call of the program that failed, with what it said.

    ``exit_code`` is 1 for a failure and 2 for a wrong call; ``findings`` are the ids of the findings that refused a log.
    """

    def __init__(self, message: str, exit_code: int = 1, findings: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code
        self.findings = list(findings)


class IdentWarning(UserWarning):
    """A doubt that the program tells of beside its result."""


def program() -> str:
    """Return the path of the program: the one that the environment variable IDENT_PROGRAM names, or that of this package."""
    named = os.environ.get("IDENT_PROGRAM")
    if named:
        return named
    name = "ident.exe" if os.name == "nt" else "ident"
    path = pathlib.Path(__file__).with_name("_bin") / name
    if not path.is_file():
        raise Error("the program is not in this installation (%s): install a wheel, or name a program with IDENT_PROGRAM" % path)
    return str(path)


def path(value: Any) -> str:
    """Return a path as the program takes it: one that begins with a dash is no option."""
    text = os.fsdecode(value)
    return os.path.join(os.curdir, text) if text.startswith("-") else text


def scratch() -> Folder:
    """Return a new temporary folder, which is removed with its object."""
    with of_the_system("a temporary folder"):
        return Folder()


@contextlib.contextmanager
def of_the_system(what: str) -> Iterator[None]:
    """Make an error of the system, such as a full disk, that of a call."""
    try:
        yield
    except OSError as e:
        raise Error("%s: %s" % (what, e.strerror or e)) from None


@contextlib.contextmanager
def unless_done(folder: Optional[Folder]) -> Iterator[None]:
    """Remove the folder at once where the work in it fails, whoever keeps the error."""
    try:
        yield
    except BaseException:
        if folder is not None:
            folder.cleanup()
        raise


def call(words: list[str], progress: Optional[Progress] = None, private: "str | tuple[str, ...]" = "") -> Any:
    """Run a command with --json and return its document. ``private`` is a folder, or are several, whose name texts leave out."""
    out, _ = run([words[0], *words[1:], "--json"], progress, private, 4)
    return json.loads(out)


def run(words: list[str], progress: Optional[Progress] = None, private: "str | tuple[str, ...]" = "", depth: int = 3) -> tuple[bytes, list[str]]:
    """Run a command; return what it printed, and its notes. Exit codes 0 and 3 (a verdict) are success."""
    process: Any = subprocess.Popen(
        [program(), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "IDENT_PROGRESS": "lines", "IDENT_CALLER": "stdin"}, **_apart())
    _lifelines.add(process.stdin)
    with _bar(progress) as report:
        listener = _Listener(process, report)
        listener.start()
        try:
            out = process.stdout.read()
            code = process.wait()
            listener.join()
        except BaseException:  # Ctrl-C, mostly: the program ends before the call does
            _end(process)
            listener.join(10)
            raise
        finally:
            for stream in (process.stdin, process.stdout, process.stderr):
                stream.close()
    if listener.raised is not None:
        raise listener.raised
    said = [_public(line, private) for line in listener.lines]
    if code not in (0, 3):
        raise _error(code, said, out)
    for line in said:
        if line.startswith("warning: "):
            warnings.warn(_spoken(line[len("warning: "):]), IdentWarning, stacklevel=depth)
    return out, [_spoken(line[len("note: "):]) for line in said if line.startswith("note: ")]


def _apart() -> dict[str, Any]:
    """Keep Ctrl-C of a terminal from the program: it is told once, by _end."""
    if os.name == "nt":
        return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP")}
    return {"start_new_session": True}


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ask the program to end, and end it where it does not. It removes its own temporary files."""
    if process.poll() is None:
        _ask_to_end(process)
        try:
            process.wait(6)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _ask_to_end(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT))


# The pipes by which running programs see that this process lives, whatever ends it.
_lifelines: "weakref.WeakSet[Any]" = weakref.WeakSet()


def _after_fork() -> None:
    """Let go of the pipes in a forked child, which may outlive this process. The calls belong to the parent."""
    for pipe in list(_lifelines):
        with contextlib.suppress(OSError, ValueError):
            pipe.close()
    _lifelines.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class _Listener(threading.Thread):
    """Reads standard error to its end, whatever the reporter of progress does: a full pipe would stop the program."""

    def __init__(self, process: Any, report: Progress) -> None:
        super().__init__(daemon=True)
        self.process, self.report = process, report
        self.lines: list[str] = []
        self.raised: Optional[BaseException] = None

    def run(self) -> None:
        for raw in self.process.stderr:
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            step = re.match(r"progress: (.*) (\d+)/(\d+)$", line)
            if step and self.raised is None:
                try:
                    self.report(step[1], int(step[2]), int(step[3]))
                except BaseException as e:  # it is that of the call, which nothing is wanted of any more
                    self.raised = e
                    _ask_to_end(self.process)
            elif line and not step:
                self.lines.append(line)


def _spoken(text: str) -> str:
    """Return what the program said with options as keywords: ``--motion-cutoff 50`` is ``motion_cutoff=50``. Commands for a terminal stay."""
    def keyword(m: "re.Match[str]") -> str:
        name, value = m[1].replace("-", "_"), m[2]
        return name if value is None else "%s=%r" % (name, value) if not re.fullmatch("-?[0-9.]+|[A-Z]+", value) else "%s=%s" % (name, value)

    parts = re.split(r"(\bident [a-z][a-z-]*\b[^;:,()\n]*)", text)
    option = r"--([a-z][a-z-]+)(?:[ =](-?[A-Z0-9](?:[^\s;:,()]|,(?=\S))*|[a-z][\w-]*=(?:[^\s;:,()]|,(?=\S))+|(?:file|position)\b))?"
    return "".join(part if i % 2 else re.sub(option, keyword, part) for i, part in enumerate(parts))


def _public(line: str, private: "str | tuple[str, ...]") -> str:
    for folder in (private,) if isinstance(private, str) else private:
        if folder:
            line = line.replace(folder + os.sep, "").replace(folder, "")
    return line


def _error(code: int, said: list[str], out: bytes) -> Error:
    """Make the error of the program's last words: from the line "ident: …" to the end."""
    at = max((i for i, line in enumerate(said) if line.startswith("ident: ")), default=-1)
    text = "\n".join(said[at:] if at >= 0 else said) or "the program ended with code %d and without a word" % code
    text = text[len("ident: "):] if text.startswith("ident: ") else text
    text = _spoken(re.sub(r"\n(usage|example): ident .*", "", text))
    findings: list[str] = []
    if out:
        try:
            findings = [f["id"] for f in json.loads(out).get("findings") or []]
        except (ValueError, AttributeError, KeyError, TypeError):
            pass
    if not findings:
        findings = [m[1] for m in (re.match(r"\s+[^:]+: ([a-z-]+), ", line) for line in said) if m]
    return Error(text, code, findings)


class _bar:
    """A context with the reporter of progress: the caller's own, or bars of tqdm where it is installed."""

    def __init__(self, progress: Optional[Progress]) -> None:
        self.progress = progress
        self.bar: Any = None
        self.stage = ""

    def __enter__(self) -> Progress:
        return self.progress or self.draw

    def draw(self, stage: str, done: int, total: int) -> None:
        if stage != self.stage:
            self.__exit__()
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self.progress = lambda *_: None
                return
            self.stage, self.bar = stage, tqdm(total=total, desc=stage, leave=False, delay=1)
        if self.bar is not None:
            self.bar.update(done - self.bar.n)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
        self.bar = None


def main() -> None:
    """Become the program: the console script ``ident``."""
    words = [program(), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(words))
    os.execv(words[0], words)
