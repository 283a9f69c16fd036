"""The logs of the comparison: files, splits and filters, the same for all peers."""

from __future__ import annotations

import functools
import gzip
import json
import os
import pathlib
import subprocess
from dataclasses import dataclass, field

import numpy as np
import trial

TREE = pathlib.Path(__file__).resolve().parents[2]


@dataclass
class Log:
    """A robot file with runs to fit and runs to predict; a part is (file, first row, last row) with shares of the rows for fractions."""

    name: str
    urdf: str
    train: list[tuple[str, float, float]]
    test: list[tuple[str, float, float]]
    cutoff: float  # Hz: told to all but ident, and of all judging
    split: str
    seen: str = "tuned"  # in development: "tuned" on this split, "split" where the log was tuned on with another, "arm" where only the robot was, "no"
    gains: list[float] = field(default_factory=list)
    channels: dict[str, str] = field(default_factory=dict)
    coupled: bool = False  # motor 6 turns with the sum of joints 5 and 6


def all_logs() -> list[Log]:
    """Return the logs; those of IDENT_DATA are absent where it is."""
    example, measured = TREE / "datasets/example", TREE / "datasets/measured"
    logs = [
        Log("example", "%s/puma560.urdf" % example, [("%s/puma560.parquet" % example, 0, 0.6)], [("%s/puma560.parquet" % example, 0.6, 1)], 10,
            "first 60 % → last 40 %, simulated"),
        Log("Panda UNISA", "%s/panda.urdf" % measured, [("%s/panda.csv.gz" % measured, 0, 0.6)], [("%s/panda.csv.gz" % measured, 0.6, 1)], 5,
            "first 60 % → last 40 %"),
    ]
    data = data_folder()
    if data is None:
        return logs
    kuka, panda, ur, emps, tx = (data / name for name in ("kuka_lwr4", "panda", "ur10e", "emps", "tx40"))
    run = ["%s/measurements_%d.csv.gz" % (kuka, i) for i in (1, 2, 3)]
    for train, test, seen in (((0,), (1, 2), "tuned"), ((2,), (0,), "tuned"), ((1, 2), (0,), "tuned"), ((1,), (2,), "split")):
        names = ["+".join(str(i + 1) for i in part) for part in (train, test)]
        logs.append(Log("KUKA %s→%s" % tuple(names), "%s/model/kuka_lwr4.urdf" % kuka, [(run[i], 0, 1) for i in train], [(run[i], 0, 1) for i in test], 8,
                        "run %s → run %s" % tuple(names), seen))
    gaz, bench, fast = "%s/gaz_exciting_traj_1.csv.gz" % panda, "%s/emps_training.csv.gz" % emps, "%s/tx40_joint_side_5kHz.csv.gz" % tx
    for name, file, urdf, cutoff, more in (("Panda", gaz, "%s/model/panda_mdh_kinematics.urdf" % panda, 10, {}),
                                           ("EMPS", bench, "%s/model/emps.urdf" % emps, 20, {"channels": {"q1": "q", "tau1": "force"}}),
                                           ("TX40", fast, "%s/model/tx40_mdh_modified.urdf" % tx, 20, {"coupled": True})):
        logs.append(Log(name, urdf, [(file, 0, 0.6)], [(file, 0.6, 1)], cutoff, "first 60 % → last 40 %", **more))
        logs.append(Log(name + " backwards", urdf, [(file, 0.4, 1)], [(file, 0, 0.4)], cutoff, "last 60 % → first 40 %", "split", **more))
    gains = [10.0000, 10.6956, 8.4566, 9.0029, 9.4800, 10.1232]
    for name, train, test, split, seen in (
        ("UR10e", [("20_02_10-30sec_12harm", 635, 3510)], ("validation/ur-20_01_17-ptp_10_points", 700, 4200), "30 s, 12 harmonics → point to point", "tuned"),
        ("UR10e free", [("19_12_23_free", 0, 1)], ("identification/ur-20_02_19_15harm50sec", 0, 1), "2019, free → 50 s, 15 harmonics", "arm"),
        ("UR10e short", [("19_10_01-14_04_13", 0, 1), ("19_10_01-14_04_41", 0, 1)], ("identification/ur-19_10_01-13_51_41", 0, 1), "two runs of 8 and 10 s → one of 7 s", "arm"),
    ):
        logs.append(Log(name, "%s/model/ur10e.urdf" % ur, [("%s/identification/ur-%s.csv.gz" % (ur, file), a, b) for file, a, b in train],
                        [("%s/%s.csv.gz" % (ur, test[0]), *test[1:])], 10, split, seen, gains=gains))
    return logs


def of_folder(folder: pathlib.Path) -> list[Log]:
    """Return the logs of a folder: in each folder within it a robot file (*.urdf) and logs (*.csv or *.csv.gz; t, q1, dq1, tau1 and so on in SI units).

    Files whose names begin with test are predicted and the others fitted; without any, the last 40 % of each log. A file log.json may say
    {"cutoff": 5, "gains": [...], "channels": {"tau1": "force"}, "coupled": true, "seen": "no"}; the cut-off is 10 Hz unless said otherwise.
    """
    found = []
    for place in sorted(p for p in folder.iterdir() if p.is_dir()):
        robots, files = sorted(place.glob("*.urdf")), sorted(str(p) for kind in ("*.csv", "*.csv.gz") for p in place.glob(kind))
        if len(robots) != 1 or not files:
            raise SystemExit("%s: one robot file *.urdf and at least one log *.csv or *.csv.gz are needed; there are %d and %d" % (place, len(robots), len(files)))
        said = {"cutoff": 10, "seen": "no", **(json.loads((place / "log.json").read_text()) if (place / "log.json").exists() else {})}
        test = [f for f in files if pathlib.Path(f).name.startswith("test")]
        train = [f for f in files if f not in test]
        parts = ([(f, 0, 1) for f in train], [(f, 0, 1) for f in test]) if test else ([(f, 0, 0.6) for f in train], [(f, 0.6, 1) for f in train])
        found.append(Log(place.name, str(robots[0]), *parts, split="logs: %d → %d" % (len(train), len(test)) if test else "first 60 % → last 40 %", **said))
    return found


def data_folder() -> pathlib.Path | None:
    """Return the folder of the measured logs that IDENT_DATA names, None where there is none."""
    root = pathlib.Path(os.environ.get("IDENT_DATA") or TREE.parent / "shared")
    return root / "data" if (root / "data").is_dir() else None


def read(log: Log, part: tuple[str, float, float], scratch: pathlib.Path) -> dict[str, np.ndarray]:
    """Return the rows of a part: t, q, tau and, where the log has it, dq, on the clock of the log."""
    path, first, last = part
    if path.endswith(".parquet"):
        out = scratch / (pathlib.Path(path).stem + ".csv.gz")
        subprocess.run([os.environ["IDENT_PROGRAM"], "convert", path, "-o", str(out), "--overwrite", "-q"], check=True)
        path = str(out)
    names, table = whole(path, pathlib.Path(path).stat().st_mtime_ns)
    if last <= 1:
        table = table[int(first * len(table)): int(last * len(table))]
    else:
        table = table[int(first) - 1: int(last)]

    def columns(prefix: str) -> np.ndarray | None:
        found = [log.channels.get("%s%d" % (prefix, j), "%s%d" % (prefix, j)) for j in range(1, 20)]
        found = [name for name in found if name in names]
        return table[:, [names.index(name) for name in found]] if found else None

    tau = columns("tau") if not log.gains else columns("i") * log.gains
    out = {"t": table[:, names.index("t")], "q": columns("q"), "tau": tau}
    if (dq := columns("dq")) is not None:
        out["dq"] = dq
    return out


@functools.lru_cache(maxsize=4)
def whole(path: str, changed: int) -> tuple[list[str], np.ndarray]:
    """Return the names of the columns of a CSV file and its numbers."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as f:
        line = f.readline()
        while line.startswith("#"):
            line = f.readline()
        return line.strip().split(","), np.loadtxt(f, delimiter=",", ndmin=2)


def uniform(rows: dict[str, np.ndarray]) -> trial.Run:
    """Return the rows on a uniform clock of the same number of samples, between them on straight lines."""
    t = np.linspace(rows["t"][0], rows["t"][-1], len(rows["t"]))

    def on(x: np.ndarray) -> np.ndarray:
        return np.stack([np.interp(t, rows["t"], x[:, j]) for j in range(x.shape[1])], axis=1)

    return trial.Run(t - t[0], on(rows["q"]), on(rows["dq"]) if "dq" in rows else None, on(rows["tau"]))


def write(rows: dict[str, np.ndarray], path: pathlib.Path) -> str:
    """Write rows as the CSV file that programs read which open logs themselves."""
    names, columns = ["t"], [rows["t"]]
    for key in ("q", "dq", "tau"):
        if key in rows:
            for j in range(rows[key].shape[1]):
                names.append("%s%d" % (key, j + 1))
                columns.append(rows[key][:, j])
    np.savetxt(path, np.stack(columns, axis=1), delimiter=",", header=",".join(names), comments="", fmt="%.10g")
    return str(path)
