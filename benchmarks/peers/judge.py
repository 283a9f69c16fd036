"""Runs every peer on every log, judges all answers alike and writes docs/peers.md. See the script run."""

from __future__ import annotations

import argparse
import json
import pathlib
import sys

import faults
import logs
import models
import numpy as np
import peers as tools
import robots
import trial

SENSORS = ["white", "coloured", "industrial"]
SEEDS = 10
FEW = 3  # seeds of peers whose estimator is that of another column
SAME = ("drake", "mujoco-sysid")  # peers whose least squares are those of another column: on the logs that are fitted twice
AGAIN = ("example", "Panda UNISA")  # logs that are fitted twice


def errors(predicted: np.ndarray, motions: list[trial.Motion], cutoff: float) -> dict:
    """Return the relative errors in per cent, both sides behind the judging filter: over all joints, their mean, the worst and its number from 1.

    It is the one metric for all peers.
    """
    n = motions[0].tau.shape[1]
    above, below, at = np.zeros(n), np.zeros(n), 0
    for m in motions:
        k = len(m.tau)
        part = trial.trim(m.rate)
        told, measured = (trial.lowpass(x, m.rate, cutoff)[part] for x in (predicted[at: at + k], m.tau))
        above += ((told - measured) ** 2).sum(axis=0)
        below += (measured ** 2).sum(axis=0)
        at += k
    each = 100 * np.sqrt(above / below)
    return {"total": 100 * float(np.sqrt(above.sum() / below.sum())), "mean": float(each.mean()), "worst": float(each.max()), "joint": int(each.argmax()) + 1}


def states_of(motions: list[trial.Motion]) -> tuple:
    return tuple(np.concatenate([getattr(m, key) for m in motions]) for key in ("q", "dq", "ddq"))


def unseen(peers: tools.Peers, chosen: list[logs.Log], keep: dict) -> None:
    """Fill keep["unseen"] with errors, processor seconds and memory of every peer on every log."""
    table = keep["unseen"] = {}
    for log in chosen:
        runs = [logs.read(log, part, peers.scratch) for part in log.train]
        motions = [trial.prepare(logs.uniform(logs.read(log, part, peers.scratch)), log.cutoff) for part in log.test]
        entry = table.setdefault(log.name, {})
        entry.update(split=log.split, cutoff=log.cutoff, seen=log.seen, joints=runs[0]["q"].shape[1], rows=sum(len(r["t"]) for r in runs))
        for peer in peers.which:
            if peer in SAME and log.name not in AGAIN and log.seen != "no":
                continue
            result = peers.fit(peer, log, runs, states_of(motions))
            if result.get("reason") == tools.NOT_MEASURED:
                continue
            cell = {"cpu": result.get("cpu"), "memory": result.get("memory"), "others": result.get("others")}
            cell.update({"reason": result["reason"]} if "reason" in result else errors(result["answer"]["tau"], motions, log.cutoff))
            if log.name in AGAIN and "reason" not in result:
                second = peers.fit(peer, log, runs, states_of(motions), time=2)
                if second.get("reason") != tools.NOT_MEASURED:
                    cell["again"] = float(np.linalg.norm(second["answer"]["tau"] - result["answer"]["tau"]) / np.linalg.norm(result["answer"]["tau"])) if "answer" in second else 1.0
            entry[peer] = cell
            print(log.name, peer, cell, flush=True)


def truth(peers: tools.Peers, chosen: list[logs.Log], keep: dict) -> None:
    """Fill keep["truth"] with the errors and the intervals of known parameters: the example robot, simulated, fitted from a rough file."""
    table, folder = keep.setdefault("truth", {}), peers.scratch
    example = "%s/datasets/example" % logs.TREE
    known, other, exact = (str(folder / name) for name in ("known.urdf", "other.json", "exact.csv.gz"))
    tools.ident("robot", example + "/puma560.urdf", "--to", "urdf", "-o", known)
    tools.ident("design-trajectory", known, "--period", "8", "--seed", "7", "-o", other)
    tools.ident("simulate", known, "--trajectory", other, "--rate", "200", "--ideal", "-o", exact)
    rough = robots.rough(known, folder / "rough.urdf")
    log = logs.Log("simulated", rough, [], [], 10, "")
    motion = trial.prepare(logs.uniform(logs.read(log, (exact, 0, 1), folder)), log.cutoff)
    for seed in range(1, peers.seeds + 1):
        for sensors in SENSORS:
            path = str(folder / "simulated.csv.gz")
            words = ["--sensors", "industrial"] if sensors == "industrial" else ["--torque-noise", "0"]
            tools.ident("simulate", known, "--trajectory", example + "/puma560.json", "--repeat", "2", "--rate", "200", "--seed", str(seed), *words, "-o", path)
            rows = logs.read(log, (path, 0, 1), folder)
            if sensors != "industrial":
                rows["tau"] += noise(rows["tau"], 0.9 if sensors == "coloured" else 0, seed)
            for peer in peers.which:
                if peer in SAME and seed > FEW:
                    continue
                result = peers.fit(peer, log, [rows], states_of([motion]), true_urdf=known)
                if result.get("reason") == tools.NOT_MEASURED:
                    continue
                cell = {"reason": result["reason"]} if "reason" in result else judged(result["answer"], motion, log.cutoff)
                table.setdefault(sensors, {}).setdefault(peer, {})[str(seed)] = cell
                print(sensors, seed, peer, cell, flush=True)


def noise(tau: np.ndarray, last: float, seed: int) -> np.ndarray:
    """Return noise of 2 % of the root mean square of each column, of which a sample keeps the given share of the last one."""
    rng = np.random.default_rng(seed)
    white, out = rng.normal(size=tau.shape) * np.sqrt(1 - last ** 2), np.zeros_like(tau)
    for i in range(1, len(tau)):
        out[i] = last * out[i - 1] + white[i]
    return 0.02 * np.sqrt((tau ** 2).mean(axis=0)) * out


def judged(answer: dict, motion: trial.Motion, cutoff: float) -> dict:
    """Return the error of noise-free torques, and of the tool's own base parameters how many, their median error, and the number within 95 %."""
    out = {"torque": errors(answer["tau"], [motion], cutoff)["total"]}
    x, known = answer["estimate"], answer["truth"]
    fit = np.isfinite(known)
    out["parameters"] = int(fit.sum())
    large = fit & (abs(known) > 1e-9)
    out["median"] = 100 * float(np.median(abs(x[large] - known[large]) / abs(known[large])))
    if "sigma" in answer:
        out["inside"] = int((abs(x - known)[fit] <= 1.96 * answer["sigma"][fit]).sum())
    return out


PARTS = {
    "unseen": unseen,
    "faults": lambda peers, chosen, keep: faults.faults(peers, keep, states_of),
    "truth": truth,
    "same": lambda peers, chosen, keep: models.same(peers, keep),
    "speed": lambda peers, chosen, keep: models.speed(peers, keep),
}


def main() -> None:
    import page

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for what was measured")
    parser.add_argument("--logs", type=pathlib.Path, help="folder of your own logs, in place of ours: see of_folder in logs.py; the page is printed")
    parser.add_argument("--peer", action="append", help="a peer to run (default: all)")
    parser.add_argument("--log", action="append", help="a log to fit (default: all)")
    parser.add_argument("--part", action="append", choices=list(PARTS), help="a table to measure (default: all); the page is printed")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="of known parameters (default: %(default)d)")
    parser.add_argument("--fresh", action="store_true", help="measure everything again, whatever is kept")
    parser.add_argument("--kept", action="store_true", help="measure nothing: write the page of what is kept")
    given = parser.parse_args()
    peers = tools.Peers(given.work, given.peer or list(tools.TITLES), given.fresh, given.kept, given.seeds)
    chosen = [log for log in (logs.of_folder(given.logs) if given.logs else logs.all_logs()) if not given.log or log.name in given.log]
    keep: dict = {"machine": page.machine(), "lines": {peer: tools.lines_of(peer) for peer in tools.TITLES}}
    for part, measure in PARTS.items():
        if part == "unseen" if given.logs else not given.part or part in given.part:
            measure(peers, chosen, keep)
    keep["program"] = peers.program[:12]
    keep["days"] = sorted(peers.days - {""})
    (given.work / "measured.json").write_text(json.dumps(keep, indent=1))
    titles = {peer: tools.TITLES[peer] for peer in peers.which}
    if given.logs or given.part or given.log or given.peer:
        print("\n".join(page.tables(keep, titles)))
        return
    path = logs.TREE / "docs/peers.md"
    path.write_text(page.text(keep, titles))
    print(path)


if __name__ == "__main__":
    sys.exit(main())
