"""The tools' regressors, compared with ident's on many robots, and their speed."""

from __future__ import annotations

import pathlib

import logs
import numpy as np
import robots
import trial
from peers import NOT_MEASURED


def same(peers, keep: dict) -> None:
    """Fill keep["same"] with the differences of regressors, base parameters and torques from Pinocchio's and Drake's, robot by robot."""
    folder = peers.scratch / "robots"
    folder.mkdir(exist_ok=True)
    table = keep.setdefault("same", {})
    for name, urdf in robots.all_robots(folder):
        known, _ = trial.parameters(urdf)
        n = len(known)
        rng = np.random.default_rng(1)
        states = rng.uniform(-2, 2, (40 + 10 * n, n)), rng.normal(0, 2, (40 + 10 * n, n)), rng.normal(0, 5, (40 + 10 * n, n))
        log = logs.Log(name, urdf, [], [], 1, "")
        answers = {peer: peers.fit(peer, log, [], states, evaluate=True) for peer in ("ident", *MODELS)}
        if any(a.get("reason") == NOT_MEASURED for a in answers.values()):
            continue
        row = table.setdefault(name, {"joints": n})
        ours = answers["ident"]
        for peer in MODELS:
            theirs = answers[peer]
            if "reason" in ours or "reason" in theirs:
                row[peer] = {"reason": theirs.get("reason") or "ident " + ours["reason"]}
            else:
                row[peer] = differences(ours["answer"], theirs["answer"], known.reshape(-1))
            print(name, peer, row[peer], flush=True)


def differences(ours: dict, theirs: dict, known: np.ndarray) -> dict:
    """Return how far two models are apart.

    Link frames differ by tool, so columns are compared as spaces: every column of their regressor must be a combination K of the columns
    of our base regressor, which must be as many as their rank. K is then unique, and it must turn their parameters into ours.
    """
    Y, Yb = (x["Y"].reshape(-1, x["Y"].shape[2]) for x in (theirs, ours))
    K = np.linalg.lstsq(Yb, Y, rcond=None)[0]
    values = np.linalg.svd(Y / max(abs(Y).max(), 1e-300), compute_uv=False)
    return {
        "regressor": float(np.linalg.norm(Y - Yb @ K) / np.linalg.norm(Y)),
        "base": Yb.shape[1],
        "rank": int((values > 1e-9 * values[0]).sum()),
        "parameters": float(np.linalg.norm(K @ known - ours["values"]) / max(np.linalg.norm(ours["values"]), 1e-300)),
        "torques": float(np.linalg.norm(ours["tau"] - theirs["tau"]) / np.linalg.norm(theirs["tau"])),
    }


MODELS = ["pin", "drake", "mujoco-sysid"]
SPEED_STATES = 5000


def speed(peers, keep: dict) -> None:
    """Fill keep["speed"] with processor seconds of one regressor of the example robot at many states."""
    table = keep.setdefault("speed", {})
    urdf = str(peers.scratch / "example.urdf")
    robots.plain(logs.TREE / "datasets/example/puma560.urdf", pathlib.Path(urdf))
    rng = np.random.default_rng(1)
    states = tuple(rng.uniform(-2, 2, (SPEED_STATES, 6)) for _ in range(3))
    log = logs.Log("example", urdf, [], [], 1, "")
    for peer in peers.which:
        if peer in ("ident", *MODELS):
            runs = [peers.fit(peer, log, [], states, evaluate=True, time=i) for i in (1, 2, 3)]
            if any(r.get("reason") == NOT_MEASURED for r in runs):
                continue
            table[peer] = {"seconds": sorted(float(r["answer"]["seconds"]) for r in runs)} if all("answer" in r for r in runs) else {"reason": runs[-1].get("reason")}
            print(peer, table[peer], flush=True)
    keep["speed states"] = SPEED_STATES
