"""Arrays and tables, to and from the files that the program reads and writes."""

from __future__ import annotations

import datetime
import json
import os
import warnings
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from ._program import IdentWarning, of_the_system
from ._program import path as path_of

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
            paths.append(path_of(one))
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
    columns: dict[str, Array] = {}
    for name, x in _columns(table):
        if name in columns:
            raise ValueError("the table has two columns %s: rename one of them, or drop it" % name)
        columns[name] = x
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
    names = []
    for key in getattr(table, "columns", table):
        names.append(_name(key))
    for name in names:
        if names.count(name) > 1:
            raise ValueError("the table has two columns %s: rename one of them, or drop it" % name)
    yield from _index(table, names)
    for key, name in zip(getattr(table, "columns", table), names):
        x = numbers(name, table[key])
        if x is None:
            warnings.warn("column %s is left out: it holds no numbers" % name, IdentWarning, stacklevel=6)
        elif x.ndim == 1:
            yield name, x
        elif x.ndim == 2:
            for j in range(x.shape[1]):
                yield "%s%d" % (name, j + 1), np.ascontiguousarray(x[:, j])
        else:
            raise ValueError("%s has %d dimensions; give one column a signal, or a matrix of samples by joints" % (name, x.ndim))


def _name(key: Any) -> str:
    """Return the name of a column. Levels are joined: ("q", 1) is q1, ("q", "elbow") is q_elbow, and empty levels are none."""
    if not isinstance(key, tuple):
        return str(key)
    name = ""
    for one in key:
        if one != one:  # pandas fills shorter names with NaN
            continue
        part = str(int(one) if isinstance(one, float) and one.is_integer() else one)
        name += part if not name or part.isdigit() or not part else "_" + part
    return name


def _index(table: Any, names: list[str]) -> Iterable[tuple[str, Array]]:
    """Yield the index of a DataFrame that has no column of time: that of its name, or t where it has times or fractions and no name.

    Whole numbers without a name count the rows, and are no time.
    """
    index = getattr(table, "index", None)
    if index is None or callable(index) or "t" in names or "time" in names:
        return
    if getattr(index, "nlevels", 1) > 1:
        raise ValueError("the index of the table has %d levels: make the one with the time a column t (DataFrame.reset_index)" % index.nlevels)
    name = getattr(index, "name", None)
    x = numbers("index" if name is None else str(name), index)
    if x is not None and (name is not None or x.dtype.kind in "Mf") and str(name) not in names:
        yield "t" if name is None else str(name), x


def numbers(name: str, values: Any) -> "Optional[Array]":
    """Return values as numbers that the program reads, or as times of UTC; a missing value is NaN. It is None where they are neither."""
    x: Any = values
    if isinstance(x, (list, tuple)) and any(np.ma.isMaskedArray(one) for one in x):
        x = np.ma.asarray(x)
    if not np.ma.isMaskedArray(x):
        try:
            x = np.asarray(x)
        except ValueError:
            raise ValueError("%s holds values of different lengths: give one number a sample, or a matrix of samples by joints" % name) from None
    if x.dtype.kind == "O":
        x = _of_objects(values, x)
    if x.dtype.kind == "c":
        raise ValueError("%s holds complex numbers, which are no signal: give its real part" % name)
    if np.ma.is_masked(x):
        masked: Any = x
        if x.dtype.kind not in "biufmM":
            return None
        x = masked.filled(np.array("NaT", x.dtype)) if x.dtype.kind in "mM" else masked.astype(float).filled(np.nan)
    x = np.ma.getdata(x)
    if x.dtype.kind == "m":  # a duration is a time in seconds
        x = x / np.timedelta64(1, "s")
    if x.dtype.kind == "M" and np.datetime_data(x.dtype) not in _UNITS:
        x = x.astype("datetime64[ns]")
    if x.dtype.kind == "f" and x.dtype.itemsize > 8:
        x = x.astype(float)
    return x if x.dtype.kind in "biufM" else None


# The resolutions of times that the program reads.
_UNITS = [(unit, 1) for unit in ("s", "ms", "us", "ns")]


def _of_objects(values: Any, x: Any) -> Any:
    """Return an array of objects as the numbers or times that they are, or as it is."""
    dated = any(isinstance(one, datetime.datetime) for one in x.flat)
    if hasattr(values, "to_numpy"):  # a column or an index of pandas: its missing values are no floats, its times may have a zone
        try:
            return values.to_numpy(dtype="datetime64[ns]") if dated else values.to_numpy(dtype=float, na_value=np.nan)
        except (TypeError, ValueError):
            return x
    try:
        return x.astype(float)
    except (TypeError, ValueError):
        pass
    if dated and all(isinstance(one, datetime.datetime) for one in x.flat):
        naive = [one.astimezone(datetime.timezone.utc).replace(tzinfo=None) if one.tzinfo else one for one in x.flat]
        return np.array(naive, dtype="datetime64[us]").reshape(x.shape)
    return x


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


def few(joints: int, q: Any, dq: Any, ddq: Any, most: int) -> "Optional[tuple[int, Any, Any, Any]]":
    """Return 1 to most states as their number and q, dq and ddq, each (N, n) or zero; of one state they may be (n,). It is None if the states are more, or none."""
    q = matrix("q", q, joints)
    if not 0 < len(q) <= most:
        return None
    x = np.column_stack(list(states(joints, q, dq, ddq).values()))
    return len(x), x[:, :joints], x[:, joints:2 * joints], x[:, 2 * joints:]


def matrix(name: str, value: Any, joints: int) -> Array:
    x = numbers(name, value)
    if x is None or x.dtype.kind == "M":
        raise ValueError("%s holds no numbers" % name)
    x = x.astype(float)
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
