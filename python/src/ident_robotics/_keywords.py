"""Keywords as options of the program, checked against what it says of itself before it starts."""

from __future__ import annotations

import difflib
import functools
import importlib.resources
import json
import numbers
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from typing_extensions import TypeGuard


@functools.lru_cache(maxsize=None)
def table() -> dict[str, Any]:
    """Return the options of the commands, as ``ident schema options`` gave them."""
    return json.loads(importlib.resources.files("ident_robotics").joinpath("options.json").read_text(encoding="utf-8"))


def words(command: str, given: Mapping[str, Any]) -> list[str]:
    """Return the options of a command line. An unknown keyword or a wrong type is a TypeError, a wrong value a ValueError."""
    known = table()[command]["options"]
    out: list[str] = []
    for key, value in given.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            raise TypeError("%s() has no option %r%s" % (command.replace("-", "_"), key, "; did you mean %s?" % near[0] if near else "; ident %s --help lists them" % command))
        if value is not None:
            out += _texts(known[key], key, value)
    return out


def describe(command: str) -> str:
    """Return a paragraph with the options of a command, for docstrings."""
    lines = ["", "    Options, all by keyword:", ""]
    for key, o in table()[command]["options"].items():
        lines.append("    %s: %s%s" % (key, o["help"], " (default %s)" % o["default"] if o.get("default") and "(default" not in o["help"] else ""))
    return "\n".join(lines) + "\n"


def _texts(o: Mapping[str, Any], key: str, value: Any) -> list[str]:
    flag, kind = "--" + o["name"], o["type"]
    if _is_masked(value):
        raise ValueError("%s=%r: a value is masked" % (key, value))
    if o.get("repeatable"):
        return [flag + "=" + v for v in _repeated(o, key, value)]
    if kind == "bool":
        if not isinstance(value, bool):
            raise TypeError("%s=%r: give True or False" % (key, value))
        return [flag + "=" + ("true" if value else "false")]
    if isinstance(value, bool):  # True of a choice
        if kind != "yes|no|auto":
            raise TypeError("%s=%r: %s" % (key, value, o["help"]))
        return [flag + "=" + ("yes" if value else "no")]
    if _is_number(value):
        return [flag + "=" + _number(o, key, value)]
    if isinstance(value, (str, os.PathLike)):
        return [flag + "=" + _word(o, key, os.fspath(value))]
    if kind in ("numbers", "texts", "text") and _is_list(value):
        return [flag + "=" + ",".join(_number(o, key, v) if _is_number(v) else str(v) for v in value)]
    raise TypeError("%s=%r: %s" % (key, value, o["help"]))


def _repeated(o: Mapping[str, Any], key: str, value: Any) -> list[str]:
    if isinstance(value, (str, os.PathLike)) or _is_number(value):
        return [str(value)]
    between = ":" if o["name"] == "rows" else "="
    if isinstance(value, Mapping):
        return ["%s%s%s" % (k, between, _plain(v)) for k, v in value.items()]
    if _is_list(value):
        return [_plain(v) for v in value]
    raise TypeError("%s=%r: give a text, a list of texts, or a dict" % (key, value))


def _plain(value: Any) -> str:
    if _is_number(value) and not isinstance(value, bool):
        return repr(value.item() if hasattr(value, "item") else value)
    if _is_list(value):
        return ",".join(_plain(v) for v in value)
    return str(value)


def _is_masked(value: Any) -> bool:
    """Report whether a value, or one of a list or a dict of values, is masked: it would become the text "--"."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return any(_is_masked(v) for v in value)
    return bool(np.ma.is_masked(value))


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _is_list(value: Any) -> "TypeGuard[Iterable[Any]]":
    return not isinstance(value, (str, bytes, Mapping)) and hasattr(value, "__iter__")


def _number(o: Mapping[str, Any], key: str, value: Any) -> str:
    kind = o["type"]
    if kind in ("int", "uint64") and not isinstance(value, numbers.Integral):
        raise TypeError("%s=%r: give a whole number" % (key, value))
    low, high = o.get("low"), o.get("high")
    inside = (low is None or value >= low) and (high is None or value <= high) or bool(o.get("zero_is_none")) and value == 0
    if value != value or not inside:
        unit = " " + o["unit"] if o.get("unit") else ""
        raise ValueError("%s=%r: give a number%s" % (key, value, " from %g to %g%s" % (low or 0, high, unit) if high is not None else ""))
    return _plain(value)


def _word(o: Mapping[str, Any], key: str, value: str) -> str:
    kind = o["type"]
    choices = list(o.get("choices") or [])
    if kind == "yes|no|auto":
        choices = ["yes", "no", "auto"]
    if choices and not o.get("free") and value not in choices:
        raise ValueError("%s=%r: give one of %s" % (key, value, ", ".join(choices)))
    if kind in ("int", "uint64", "number") or kind == "number|auto" and value != "auto":
        raise TypeError("%s=%r: give a number%s" % (key, value, " or 'auto'" if kind == "number|auto" else ""))
    return value
