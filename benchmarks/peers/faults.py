"""Ten faults, one at a time, in a measured log, and what each tool says of them."""

from __future__ import annotations

import re

import logs
import numpy as np
import trial
from peers import NOT_MEASURED


SILENT = ("figaroh-lmi", "drake", "mujoco-sysid")  # say what the scripts of figaroh and Pinocchio say, whose lines they share


def faults(peers, keep: dict, states_of) -> None:
    """Fill keep["faults"] with what each tool says of ten faults put into one measured log."""
    table = keep.setdefault("faults", {})
    log = next(log for log in logs.all_logs() if log.name == "Panda UNISA")
    sound = logs.read(log, (log.train[0][0], 0, 1), peers.scratch)
    motion = trial.prepare(logs.uniform(sound), log.cutoff)
    for peer in (p for p in peers.which if p not in SILENT):
        first = peers.fit(peer, log, [sound], states_of([motion]), faulty=True)
        usual = {masked(line) for line in first.get("said", "").splitlines()}
        for name, (words, spoil) in FAULTS.items():
            result = peers.fit(peer, log, [spoil({k: v.copy() for k, v in sound.items()})], states_of([motion]), faulty=True)
            if NOT_MEASURED in (result.get("reason"), first.get("reason")):
                continue
            new = [line.strip() for line in result.get("said", "").splitlines() if line.strip() and masked(line) not in usual]
            new = [line for line in new if not re.match(r"(File |Traceback|\^|~|iter:|Terminated|total time|RMSE|joint\d)", line) and " = " not in line]
            told = [line for line in new if re.search(words, line, re.IGNORECASE)]
            if told:
                cell = {"says": "named", "text": told[0]}
            elif new or "reason" in result:
                cell = {"says": "noticed", "text": (new or [result.get("reason", "")])[-1]}
            else:
                cell = {"says": "silent"}
            table.setdefault(name, {})[peer] = cell
            print(name, peer, cell, flush=True)


def masked(line: str) -> str:
    """Return a line without its numbers and paths, so that a figure alone is no new message."""
    line = re.sub(r"/\S*/", "", line)
    return re.sub(r"[-+]?\d[\d.,e+-]*", "#", line).strip()


def sign(x: dict) -> dict:
    x["tau"][:, 1] *= -1
    return x


def degrees(x: dict) -> dict:
    x["q"] *= 180 / np.pi
    return x


def swapped(x: dict) -> dict:
    x["q"][:, [1, 3]] = x["q"][:, [3, 1]]
    x["dq"][:, [1, 3]] = x["dq"][:, [3, 1]]
    return x


def milliseconds(x: dict) -> dict:
    x["t"] *= 1000
    return x


def missing_values(x: dict) -> dict:
    x["q"][200:220, 2] = np.nan
    return x


def spikes(x: dict) -> dict:
    x["tau"][np.random.default_rng(1).choice(len(x["t"]), 6, replace=False), 3] = 9999
    return x


def late(x: dict) -> dict:
    x["tau"][3:] = x["tau"][:-3].copy()
    return x


def stuck(x: dict) -> dict:
    x["tau"][len(x["t"]) // 2:, 2] = x["tau"][len(x["t"]) // 2, 2]
    return x


def cut(x: dict) -> dict:
    gone = slice(300, 390)
    rate = 1 / np.median(np.diff(x["t"]))
    x = {k: np.delete(v, np.r_[gone], axis=0) for k, v in x.items()}
    x["t"] = x["t"][0] + np.arange(len(x["t"])) / rate
    return x


def scaled(x: dict) -> dict:
    x["tau"][:, 3] *= 0.7
    return x


# Each fault with the words of which one must be in a message that is not said of the sound log, for the fault to count as named.
FAULTS = {
    "torque of a joint with the other sign": ("sign|revers|negat|invert", sign),
    "positions in degrees": ("degree|[^a-z]deg[^a-z]", degrees),
    "positions of two joints exchanged": ("exchang|swap|order|permut", swapped),
    "clock in milliseconds": ("milli|[^a-z]ms[^a-z]|clock-rate|time unit|not in seconds", milliseconds),
    "20 positions not a number": ("nan|finite|missing|not a number", missing_values),
    "6 torques of 9999": ("spike|outlier|impossible|9999", spikes),
    "torques 0.1 s late": ("late|delay|lag", late),
    "torque sensor stuck for half the log": ("stuck|held|constant|frozen|repeat", stuck),
    "3 s missing, clock runs on": ("jump|gap|missing|stretch", cut),
    "torque of a joint times 0.7": ("scale|gain|times|factor", scaled),
}
