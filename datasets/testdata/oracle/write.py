"""Writes Parquet and Arrow files by pyarrow, pandas and polars into a folder, with the numbers that they mean.

    python write.py FOLDER

manifest.json lists the files: {file: {channel: name of a file of float64, the least significant byte first}}.
"""
import datetime, json, pathlib, sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

folder = pathlib.Path(sys.argv[1])
rows, first = 5000, 1_700_000_000_123_456_789
k = np.arange(rows)
rng = np.random.default_rng(1)
gap = k % 3 == 1  # rows of nulls

extremes = np.resize(np.array([0.0, -0.0, 1.5, -1.5, np.inf, -np.inf, np.nan, 1.7976931348623157e308, -1.7976931348623157e308,
                               5e-324, -5e-324, 2.2250738585072014e-308, 1e-310, 0.1, 1 / 3]), rows)


def whole(bits, signed):
    """All powers of two, their neighbours and noise."""
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    few = [v for p in range(bits + 1) for d in (-1, 0, 1) for v in (2**p + d, -(2**p) + d) if low <= v <= high] + [low, high]
    return np.resize(np.array(few, dtype=f"{'int' if signed else 'uint'}{bits}"), rows)


def nulled(values):
    want = np.array([float(v) for v in values])
    want[gap] = np.nan
    return want


columns, want = {}, {}


def add(name, array, numbers, channels=None):
    columns[name] = array
    if channels is None:
        want[name] = np.asarray(numbers, dtype=float)
    else:
        want.update({c: np.asarray(n, dtype=float) for c, n in zip(channels, numbers)})


stamps = first + k * 1_000_037
add("t", pa.array(stamps, pa.timestamp("ns")), (stamps - first) / 1e9)
add("t_us", pa.array(stamps // 1000, pa.timestamp("us"), mask=k % 7 == 0), np.where(k % 7 == 0, np.nan, (stamps // 1000 - stamps[1] // 1000) / 1e6))
add("t_ms", pa.array(stamps // 10**6, pa.timestamp("ms", tz="UTC")), (stamps // 10**6 - stamps[0] // 10**6) / 1e3)
add("extremes", pa.array(extremes), extremes)
add("noise", pa.array(rng.standard_normal(rows)), None)
want["noise"] = columns["noise"].to_numpy()
add("coarse", pa.array(np.round(np.sin(k / 40) * 50) / 8), np.round(np.sin(k / 40) * 50) / 8)
add("gaps", pa.array(extremes, mask=gap), nulled(extremes))
add("nothing", pa.nulls(rows, pa.float64()), np.full(rows, np.nan))
add("runs", pa.array(k / 7, mask=k // 700 % 2 == 1), np.where(k // 700 % 2 == 1, np.nan, k / 7))
with np.errstate(over="ignore"):
    f4 = extremes.astype("float32")
add("f4", pa.array(f4), f4)
f2 = np.resize(np.array([0, -0.0, 1, 65504, -65504, 6e-8, 6.1e-5, np.inf, -np.inf, np.nan, 0.1], dtype="float16"), rows)
add("f2", pa.array(f2), f2)
add("f2_gaps", pa.array(f2, mask=gap), nulled(f2))
for bits in (8, 16, 32, 64):
    for signed in (True, False):
        v = whole(bits, signed)
        name = ("i" if signed else "u") + str(bits)
        add(name, pa.array(v), [float(int(x)) for x in v])
        add(name + "_gaps", pa.array(v, mask=gap), nulled(int(x) for x in v))
add("on", pa.array(k % 5 == 2), k % 5 == 2)
add("on_noise", pa.array(rng.random(rows) < 0.5), None)
want["on_noise"] = columns["on_noise"].to_numpy(zero_copy_only=False).astype(float)
add("on_gaps", pa.array(k % 5 == 2, mask=gap), nulled(k % 5 == 2))
add("clock", pa.array([datetime.timedelta(milliseconds=int(i)) for i in k], pa.duration("ms")), k / 1e3)
add("day_s", pa.array(k.astype("int32")).cast(pa.time32("s")), k)
add("day_us", pa.array(k).cast(pa.time64("us")), k / 1e6)
add("lists", pa.array([[i, -i / 3, i / 7] for i in k.tolist()], pa.list_(pa.float64())), [k, -k / 3, k / 7], [f"lists[{i}]" for i in range(3)])
fixed = pa.FixedSizeListArray.from_arrays(pa.array(np.arange(2 * rows, dtype="float32") / 8), 2)
add("fixed", fixed, [2 * k / 8, (2 * k + 1) / 8], ["fixed[0]", "fixed[1]"])
holes = pa.FixedSizeListArray.from_arrays(pa.array(np.arange(2 * rows), mask=np.arange(2 * rows) % 5 == 0), 2)
add("holes", holes, [np.where((2 * k + i) % 5 == 0, np.nan, 2.0 * k + i) for i in range(2)], ["holes[0]", "holes[1]"])
pose = pa.array([{"x": i / 2, "at": [i, i + 1]} if i % 4 else {"x": None, "at": [i, i + 1]} for i in k.tolist()],
                pa.struct([("x", pa.float64()), ("at", pa.list_(pa.int32()))]))
add("pose", pose, [np.where(k % 4 == 0, np.nan, k / 2), k, k + 1], ["pose.x", "pose.at[0]", "pose.at[1]"])
legs = pa.array([[{"q": i, "v": i / 2}, {"q": -i, "v": i / 4}] for i in k.tolist()], pa.list_(pa.struct([("q", pa.int16()), ("v", pa.float32())])))
add("legs", legs, [k, -k, (k / 2).astype("float32"), (k / 4).astype("float32")], ["legs[0].q", "legs[1].q", "legs[0].v", "legs[1].v"])
columns["word"] = pa.array([f"word {i % 11}" for i in k])
columns["label"] = pa.array([f"label {i % 11}" for i in k]).dictionary_encode()
columns["uneven"] = pa.array([[1.0] * (i % 3) for i in k.tolist()])
table = pa.table(columns)

manifest = {}
for name, numbers in want.items():
    numbers.astype("<f8").tofile(folder / (name.replace("[", "_").replace("]", "_") + ".f8"))


def files(path, names=None):
    manifest[path.name] = {n: n.replace("[", "_").replace("]", "_") + ".f8" for n in (names or want)}
    return path


# Parquet by pyarrow.
for codec in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
    for version in ("1.0", "2.0"):
        for dictionary in (True, False):
            name = f"pyarrow_{codec}_v{version[0]}_{'dictionary' if dictionary else 'plain'}.parquet"
            pq.write_table(table, files(folder / name), compression=codec, data_page_version=version, use_dictionary=dictionary,
                           row_group_size=3000, data_page_size=8 << 10)
pq.write_table(table, files(folder / "pyarrow_default.parquet"))
pq.write_table(table, files(folder / "pyarrow_index.parquet"), write_page_index=True, write_page_checksum=True, data_page_size=1 << 10)
flat = table.select([n for n in table.column_names if n not in ("lists", "fixed", "holes", "pose", "legs", "uneven")])
flat_names = [n for n in flat.column_names if n in want]
whole_numbers = [n for n in flat_names if n[0] in "iu" or n.startswith("t")]
splits = ["extremes", "noise", "coarse", "gaps", "f4"]
pq.write_table(flat, files(folder / "pyarrow_encodings.parquet", flat_names), use_dictionary=False, data_page_version="2.0",
               column_encoding={**{n: "DELTA_BINARY_PACKED" for n in whole_numbers}, **{n: "BYTE_STREAM_SPLIT" for n in splits}, "on": "RLE", "on_noise": "RLE", "on_gaps": "RLE"})
stamped = pa.table({"t": columns["t"], "t_gaps": pa.array(stamps, pa.timestamp("ns"), mask=k % 7 == 0), "q": columns["extremes"]})
want["t_gaps"] = np.where(k % 7 == 0, np.nan, (stamps - stamps[1]) / 1e9)
want["q"] = extremes
for name in ("t_gaps", "q"):
    want[name].astype("<f8").tofile(folder / (name + ".f8"))
pq.write_table(stamped, files(folder / "pyarrow_int96.parquet", ["t", "t_gaps", "q"]), use_deprecated_int96_timestamps=True)
pq.write_table(stamped, files(folder / "pyarrow_int96_plain.parquet", ["t", "t_gaps", "q"]), use_deprecated_int96_timestamps=True, use_dictionary=False, data_page_version="2.0")

# Arrow by pyarrow.
for codec in ("uncompressed", "lz4", "zstd"):
    options = pa.ipc.IpcWriteOptions(compression=None if codec == "uncompressed" else codec)
    names = [n for n in want if n not in ("t_gaps", "q")]
    with pa.OSFile(str(files(folder / f"pyarrow_{codec}.arrow", names)), "wb") as sink, pa.ipc.new_file(sink, table.schema, options=options) as w:
        w.write_table(table, max_chunksize=1999)
    with pa.OSFile(str(files(folder / f"pyarrow_{codec}.arrows", names)), "wb") as sink, pa.ipc.new_stream(sink, table.schema, options=options) as w:
        w.write_table(table, max_chunksize=1999)
    feather.write_feather(table, str(files(folder / f"pyarrow_{codec}.feather", names)), compression=codec)

# pandas and polars by default.
frame = flat.drop_columns(["label"]).to_pandas()
simple = [n for n in flat_names if n not in ("day_s", "day_us", "on_gaps", "nothing") and not (n.endswith("_gaps") and n[0] in "iu")]
frame = frame[simple]
frame.to_parquet(files(folder / "pandas.parquet", simple))
frame.to_feather(files(folder / "pandas.feather", simple))
names = [n for n in flat_names if n not in ("day_s", "day_us")]
p = pl.from_arrow(flat.select(names + ["word"]))
p.write_parquet(files(folder / "polars.parquet", names))
p.write_ipc(files(folder / "polars.arrow", names))
p.write_ipc_stream(files(folder / "polars.arrows", names))
for codec in ("uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4"):
    p.write_parquet(files(folder / f"polars_{codec}.parquet", names), compression=codec)
nested = pl.from_arrow(table.select(["lists", "fixed", "holes", "pose", "legs"]))
nested_names = [n for n in want if n.split("[")[0].split(".")[0] in ("lists", "fixed", "holes", "pose", "legs")]
nested.write_parquet(files(folder / "polars_nested.parquet", nested_names))
nested.write_ipc(files(folder / "polars_nested.arrow", nested_names))

json.dump(manifest, open(folder / "manifest.json", "w"))
print(len(manifest), "files by pyarrow", pa.__version__, "pandas", pd.__version__, "polars", pl.__version__)
