"""Arrays and tables, to and from the files that the program reads and writes."""

from __future__ import annotations

import json
import os
import warnings
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from ._program import IdentWarning, of_the_system

if TYPE_CHECKING:
    import pandas

    Log = Union[str, "os.PathLike[str]", pandas.DataFrame, Mapping[str, Any]]

Array = np.ndarray


def is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def logs(value: Any, folder: str, name: str) -> list[str]:
    """Return the paths of logs: those given, and those of tables, which are written into the folder."""
    if value is None:
        return []
    if is_path(value) or _is_table(value):
        value = [value]
    if not isinstance(value, Iterable):
        raise TypeError("a log is a path, a DataFrame or a dict of arrays, not %s" % type(value).__name__)
    paths = []
    for i, one in enumerate(value):
        if is_path(one):
            paths.append(os.fspath(one))
        elif _is_table(one):
            path = os.path.join(folder, "%s%s.npz" % (name, i + 1 if i or isinstance(value, Sequence) and len(value) > 1 else ""))
            write(one, path)
            paths.append(path)
        else:
            raise TypeError("a log is a path, a DataFrame or a dict of arrays, not %s" % type(one).__name__)
    return paths


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) or hasattr(value, "columns") and hasattr(value, "__getitem__")


def write(table: Any, path: str) -> None:
    """Write a DataFrame or a dict of arrays as an npz of one array a channel. A matrix q becomes q1, q2, …"""
    columns = dict(_columns(table))
    rows = {len(x) for x in columns.values()}
    if not columns:
        raise ValueError("the table holds no column of numbers")
    if len(rows) > 1:
        raise ValueError("the columns have different lengths: %s" % ", ".join("%s %d" % (k, len(x)) for k, x in columns.items()))
    if rows == {0}:
        raise ValueError("the table has no rows")
    save(path, columns)


def save(path: str, columns: Mapping[str, Array]) -> None:
    """Write an npz of arrays, whatever their names."""
    with of_the_system("writing the arrays to %s" % os.path.dirname(path)), zipfile.ZipFile(path, "w") as archive:
        for name, x in columns.items():
            with archive.open(name + ".npy", "w", force_zip64=True) as f:
                np.lib.format.write_array(f, np.ascontiguousarray(x), allow_pickle=False)


def _columns(table: Any) -> Iterable[tuple[str, Array]]:
    names = [str(c) for c in getattr(table, "columns", table)]
    index = getattr(table, "index", None)
    if index is not None and getattr(index, "name", None) in ("t", "time") and index.name not in names:
        yield str(index.name), np.asarray(index)
    for key, name in zip(getattr(table, "columns", table), names):
        x = np.asarray(table[key])
        if x.dtype == object:
            try:
                x = x.astype(float)
            except (TypeError, ValueError):
                pass
        if x.dtype.kind not in "biufM":
            warnings.warn("column %s is left out: it holds no numbers" % name, IdentWarning, stacklevel=6)
        elif x.ndim == 1:
            yield name, x
        elif x.ndim == 2:
            for j in range(x.shape[1]):
                yield "%s%d" % (name, j + 1), np.ascontiguousarray(x[:, j])
        else:
            raise ValueError("%s has %d dimensions; give one column a signal, or a matrix of samples by joints" % (name, x.ndim))


def read(path: Union[str, "os.PathLike[str]"]) -> dict[str, Array]:
    """Read an npz that the program wrote, as a dict of its channels."""
    with np.load(path, allow_pickle=False) as file:
        own = json.loads(bytes(file["ident_log"].item()).decode("utf-8"))
        return {c["name"]: file[c["variable"]] for c in own["channels"]}


def states(joints: int, q: Any, dq: Any, ddq: Any) -> dict[str, Array]:
    """Return the channels of states (N, n); None is zero."""
    q = matrix("q", q, joints)
    columns = {}
    for name, value in (("q", q), ("dq", dq), ("ddq", ddq)):
        x = np.zeros_like(q) if value is None else matrix(name, value, joints)
        if x.shape != q.shape:
            raise ValueError("%s is %s and q is %s: give arrays of the same shape" % (name, x.shape, q.shape))
        columns.update({"%s%d" % (name, j + 1): np.ascontiguousarray(x[:, j]) for j in range(joints)})
    return columns


def matrix(name: str, value: Any, joints: int) -> Array:
    x = np.asarray(value, dtype=float)
    if x.ndim == 1 and x.shape[0] == joints:
        x = x[np.newaxis, :]
    if x.ndim != 2 or x.shape[1] != joints:
        raise ValueError("%s has the shape %s; the robot has %d joints: give (N, %d)" % (name, x.shape, joints, joints))
    return x


def frame(columns: Mapping[str, Any]) -> "pandas.DataFrame":
    """Return a DataFrame, or where pandas is not installed a dict of arrays with the same keys."""
    try:
        import pandas
    except ImportError:
        return {k: np.asarray(v) for k, v in columns.items()}  # type: ignore[return-value]
    return pandas.DataFrame(dict(columns))


def records(rows: Any, names: Sequence[str]) -> "pandas.DataFrame":
    """Return a table of some fields of a list of objects; a missing field is None."""
    return frame({n: [r.get(n) for r in rows or []] for n in names})
