"""Reads files by pyarrow, pandas and polars, and compares their numbers to the bit.

    python read.py FOLDER

The folder has the files, and for each channel its numbers as NAME.f8.
"""
import pathlib, sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

folder = pathlib.Path(sys.argv[1])
want = {p.stem: np.fromfile(p, "<f8") for p in sorted(folder.glob("*.f8"))}


def stream(path):
    with pa.OSFile(str(path), "rb") as f:
        return pa.ipc.open_stream(f).read_all()


readers = {
    ".parquet": {"pyarrow": lambda p: pq.read_table(p, page_checksum_verification=True), "pandas": pd.read_parquet, "polars": pl.read_parquet},
    ".arrow": {"pyarrow": feather.read_table, "pandas": pd.read_feather, "polars": pl.read_ipc},
    ".arrows": {"pyarrow": stream, "polars": pl.read_ipc_stream},
}
for path in sorted(folder.glob("log.*")):
    for name, read in readers[path.suffix].items():
        table = read(path)
        for channel, numbers in want.items():
            got = np.ascontiguousarray(np.asarray(table[channel]), "<f8")
            if not np.array_equal(got.view("<u8"), numbers.view("<u8")):
                sys.exit(f"{path.name} by {name}: {channel} differs")
        print(path.name, "by", name, "is equal")
