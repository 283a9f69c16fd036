"""Arrays and tables: what they hold reaches the program as it is, or is refused in words."""

import datetime
import warnings

import numpy as np
import pytest

import ident_robotics as ident
from ident_robotics import _arrays

RNG = np.random.default_rng(1)


def written(table, tmp_path):
    """Return the columns that a table is written as."""
    _arrays.write(table, str(tmp_path / "table.npz"))
    with np.load(tmp_path / "table.npz") as file:
        return dict(file)


@pytest.fixture(scope="module")
def log():
    return {k: np.asarray(v) for k, v in ident.read_log(ident.example()[0]).items()}


def test_masked_values_are_missing(tmp_path, log):
    x = np.ma.MaskedArray([1.0, 1e9, 3.0], [False, True, False])
    missing = [False, True, False]
    for masked in (x, np.ma.MaskedArray([1, 2, 3], x.mask), np.ma.MaskedArray([True, True, False], x.mask), np.ma.MaskedArray([1, 2, 3], x.mask, "f2"), x.astype(object), [np.ma.masked if m else 1.0 for m in missing],
                   np.ma.MaskedArray(np.ones((3, 2)), np.column_stack([x.mask, x.mask]))):
        for column in written({"t": np.arange(3.0), "q": masked}, tmp_path).values():
            if not np.array_equal(column, np.arange(3.0)):
                assert np.array_equal(np.isnan(column), x.mask)
    times = np.ma.MaskedArray(np.arange(3).astype("M8[ms]"), x.mask)
    assert np.array_equal(np.isnat(written({"t": times}, tmp_path)["t"]), x.mask)
    q = np.ma.MaskedArray(log["q2"].copy(), np.arange(len(log["t"])) == 1000)
    q.data[1000] = 1e9
    findings = ident.check({**log, "q2": q}, robot=ident.example()[1]).document["findings"] or []
    assert [f["channel"] for f in findings if "row 1001 " in f["where"]] == ["q2"]
    with pytest.raises(ValueError, match="masked"):
        ident.fit("log.csv", gains=np.ma.MaskedArray([1.0, 2.0], [False, True]))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "g", ">f8", ">f4", "i1", "i2", "i4", "i8", ">i4", "u1", "u2", "u4", "u8", "?"])
def test_every_kind_of_number(tmp_path, log, kind):
    x = np.zeros(len(log["t"]), kind)
    x[::3] = 1
    assert np.array_equal(written({"t": log["t"], "x": x}, tmp_path)["x"].astype(float), x.astype(float))
    assert np.array_equal(np.asarray(ident.read_log(tmp_path / "table.npz")["x"], float), x.astype(float))


def test_longdouble_and_other_sources_are_the_same_log(log):
    urdf = ident.example()[1]
    same = ident.fit({k: v.astype(np.longdouble) for k, v in log.items()}, robot=urdf, plain=True)
    of_lists = ident.fit({k: v.tolist() for k, v in log.items()}, robot=urdf, plain=True)
    assert list(same.parameters["value"]) == list(of_lists.parameters["value"])


@pytest.mark.parametrize("table, text", [
    ({"t": [1.0, 2.0], "q1": [1j, 2.0]}, "complex"),
    ({"t": [1.0, 2.0], "q1": [[1.0], [1.0, 2.0]]}, "q1 holds values of different lengths"),
    ({"t": [1.0, 2.0], "q": np.ones((2, 2)), "q1": [1.0, 2.0]}, "two columns q1"),
    ({"t": [1.0], 1: [1.0], "1": [1.0]}, "two columns 1"),
    ({("q", 1): [1.0], "q1": [1.0]}, "two columns q1"),
    ({"t": 5.0}, "0 dimensions"),
])
def test_refused_in_words(tmp_path, table, text):
    with pytest.raises(ValueError, match=text):
        ident.check(table)


def test_states(tmp_path):
    robot = ident.Robot(ident.example()[1])
    with pytest.raises(ValueError, match="complex"):
        robot.inverse_dynamics(np.zeros(6) + 1j)
    with pytest.raises(ValueError, match="no numbers"):
        robot.inverse_dynamics(["a"] * 6)
    q = np.ma.MaskedArray(np.zeros((2, 6)), np.arange(12).reshape(2, 6) == 2)
    assert np.array_equal(np.isnan(robot.inverse_dynamics(q)).any(axis=1), [True, False])


def test_times_of_dicts(tmp_path):
    zone = datetime.timezone(datetime.timedelta(hours=2))
    aware = [datetime.datetime(2026, 1, 1, 12, tzinfo=zone) + datetime.timedelta(milliseconds=10 * i) for i in range(5)]
    naive = np.datetime64("2026-01-01T10:00") + 10 * np.arange(5).astype("m8[ms]")
    for times in (aware, naive, naive.astype("M8[us]")):
        assert np.array_equal(written({"t": times}, tmp_path)["t"], naive)
    assert np.allclose(written({"t": naive - naive[0]}, tmp_path)["t"], 0.01 * np.arange(5))
    for unit in ("m", "h", "D", "s", "10ms", "ps"):
        assert len(ident.read_log(written_path({"t": np.arange(5).astype("M8[%s]" % unit), "x": np.ones(5)}, tmp_path))["x"]) == 5


def written_path(table, tmp_path):
    written(table, tmp_path)
    return tmp_path / "table.npz"


def test_indexes(tmp_path):
    pandas = pytest.importorskip("pandas")
    q = RNG.normal(size=5)
    start = pandas.Timestamp("2026-01-01 12:00")
    stamps = pandas.date_range(start, periods=5, freq="10ms")
    for name in (None, "t", "time", "stamp"):
        key = name or "t"
        for index in (stamps, stamps.tz_localize("UTC"), stamps.tz_localize("UTC").tz_convert("Asia/Tokyo")):
            got = written(pandas.DataFrame({"q1": q}, index=index.rename(name)), tmp_path)
            assert np.array_equal(got[key], stamps.to_numpy()) and np.array_equal(got["q1"], q)
        for index in (stamps - start, pandas.Index(0.01 * np.arange(5))):
            assert np.allclose(written(pandas.DataFrame({"q1": q}, index=index.rename(name)), tmp_path)[key], 0.01 * np.arange(5))
    assert set(written(pandas.DataFrame({"q1": q}), tmp_path)) == {"q1"}
    assert set(written(pandas.DataFrame({"q1": q}, index=[3, 5, 7, 9, 11]), tmp_path)) == {"q1"}
    own = written(pandas.DataFrame({"t": np.arange(5.0), "q1": q}, index=stamps), tmp_path)
    assert np.array_equal(own["t"], np.arange(5.0))
    assert np.array_equal(written(pandas.DataFrame({"t": stamps.tz_localize("Europe/Berlin"), "q1": q}), tmp_path)["t"], (stamps - pandas.Timedelta(hours=1)).to_numpy())
    levels = pandas.MultiIndex.from_product([["run"], stamps])
    with pytest.raises(ValueError, match="2 levels"):
        written(pandas.DataFrame({"q1": q}, index=levels), tmp_path)


def test_columns_of_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    double = pandas.DataFrame(np.ones((3, 3)), columns=["t", "q1", "q1"])
    with pytest.raises(ValueError, match="two columns q1"):
        ident.check(double)
    levels = pandas.DataFrame({("t", ""): [0.0, 1.0], ("q", 1): [1.0, 2.0], ("q", "elbow"): [3.0, 4.0], ("tau", "arm", 2): [5.0, 6.0]})
    assert set(written(levels, tmp_path)) == {"t", "q1", "q_elbow", "tau_arm2"} and list(written(levels, tmp_path)["q_elbow"]) == [3.0, 4.0]
    missing = pandas.DataFrame({"t": pandas.array([0, 1, None], dtype="Int64"), "q1": pandas.array([0.5, None, 1.5], dtype="Float64"), "on": pandas.array([True, None, False], dtype="boolean")})
    got = written(missing, tmp_path)
    assert [list(np.isnan(got[k])) for k in ("t", "q1", "on")] == [[False, False, True], [False, True, False], [False, True, False]]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert set(written(pandas.DataFrame({"t": [0.0, 1.0], "word": ["a", "b"]}), tmp_path)) == {"t"}
    assert "word is left out" in str(caught[0].message)
