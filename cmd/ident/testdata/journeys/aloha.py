"""Writes a CSV log of joints as an episode of ALOHA, by h5py: python aloha.py LOG.csv EPISODE.hdf5

Positions, velocities, efforts and commands of all joints are arrays; there is no clock (tonyzhaozh/act, record_sim_episodes.py)."""
import csv
import sys

import h5py
import numpy as np

log, episode = sys.argv[1:]
with open(log) as f:
    names, *rows = csv.reader(f)
values = np.array(rows, dtype=float)


def of(kind):
    return values[:, [i for i, name in enumerate(names) if name.rstrip("0123456789") == kind]]


with h5py.File(episode, "w") as f:
    f.attrs["sim"] = False
    seen = f.create_group("observations")
    for name, kind in (("qpos", "q"), ("qvel", "dq"), ("effort", "tau")):
        seen.create_dataset(name, data=of(kind))
    seen.create_dataset("images/cam_high", shape=(len(values), 4, 4, 3), dtype="uint8", chunks=(1, 4, 4, 3))
    f.create_dataset("action", data=of("q"))
