"""Runs every peer on every log, judges all answers alike and writes docs/peers.md. See the script run."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import xml.etree.ElementTree

import logs
import numpy as np
import robots
import trial

HERE = pathlib.Path(__file__).resolve().parent
TREE = logs.TREE
PEERS = ["ident", "figaroh", "pin", "drake", "mujoco-sysid", "mujoco"]
TITLES = {"ident": "ident", "figaroh": "figaroh", "pin": "Pinocchio + numpy", "drake": "Drake + numpy", "mujoco-sysid": "mujoco-sysid + numpy", "mujoco": "mujoco.sysid"}
SHARED = {"pin": ["least_squares.py"], "drake": ["least_squares.py"], "mujoco-sysid": ["least_squares.py"]}
MOST_SECONDS = 120  # of processor time, for one fit


class Peers:
    """The peers' Pythons, made when first asked for."""

    def __init__(self, scratch: pathlib.Path, given: list[bool]) -> None:
        self.scratch, self.given, self.pythons = scratch, given, {}

    def save(self, keep: dict) -> None:
        (self.scratch / "measured.json").write_text(json.dumps(keep, indent=1))

    def python(self, peer: str) -> tuple[str, str]:
        """Return the Python of a peer, or "" and why it does not install."""
        if peer not in self.pythons:
            made = subprocess.run([str(TREE / ".ci/venv"), str(HERE / peer)], capture_output=True, text=True)
            words = [line for line in made.stderr.splitlines() if line.strip()]
            self.pythons[peer] = (made.stdout.strip(), "") if made.returncode == 0 else ("", "does not install: " + (words[-1] if words else "no reason said"))
        return self.pythons[peer]

    def run(self, peer: str, script: str, words: list[str]) -> dict:
        """Run a script of a peer; return its exit code, what it printed, its processor seconds, its reason where it failed."""
        python, why = self.python(peer)
        if not python:
            return {"reason": why}
        env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONPATH": str(TREE / "python/src") if peer == "ident" else "",
               "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg"}
        said = self.scratch / "said.txt"
        with open(said, "wb") as out:
            process = subprocess.Popen([python, str(HERE / script), *words], stdout=out, stderr=subprocess.STDOUT, env=env, cwd=self.scratch,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 5)))
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        text = said.read_text(errors="replace")
        result = {"code": process.returncode, "said": text, "cpu": usage.ru_utime + usage.ru_stime}
        if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            result["reason"] = "no answer in %d s of processor time" % MOST_SECONDS
        elif process.returncode:
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            raised = [i for i, line in enumerate(lines) if re.match(r"[\w.]*(Error|Exception)\b", line)]
            words = " ".join(lines[raised[-1]:] if raised else lines[-1:])
            result["reason"] = "stops: " + (words or "code %d" % process.returncode)[:200]
        return result

    def fit(self, peer: str, log: logs.Log, runs: list[dict], states: tuple, given: bool, true_urdf: str = "", faulty: bool = False, evaluate: bool = False) -> dict:
        """Let a peer fit rows and predict states."""
        files = [logs.write(rows, self.scratch / ("train%d.csv" % i)) for i, rows in enumerate(runs)]
        arrays: dict = {"states_q": states[0], "states_dq": states[1], "states_ddq": states[2]}
        for i, rows in enumerate(runs):
            run = logs.uniform(rows)
            arrays.update({"t%d" % i: run.t, "q%d" % i: run.q, "tau%d" % i: run.tau})
            if run.dq is not None:
                arrays["dq%d" % i] = run.dq
        if given:
            urdf = str(self.scratch / "robot.urdf")
            ident("robot", log.urdf, "--to", "urdf", "-o", urdf)
        else:
            urdf = without_shapes(log.urdf, self.scratch / "robot.urdf")
        told = {"urdf": urdf, "cutoff": log.cutoff, "given": given, "coupled": log.coupled, "files": files, "true_urdf": true_urdf, "faulty": faulty, "evaluate": evaluate, "runs": len(runs),
                "joints": [j.get("name") for j in trial.moving(log.urdf)], "units": ["N" if j.get("type") == "prismatic" else "N·m" for j in trial.moving(log.urdf)]}
        job, answer = self.scratch / "job.npz", self.scratch / "answer.npz"
        np.savez(job, job=json.dumps(told), **arrays)
        answer.unlink(missing_ok=True)
        result = self.run(peer, "fit_%s.py" % peer.replace("-", "_"), [str(job), str(answer)])
        if "reason" not in result:
            with np.load(answer) as data:
                result["answer"] = {k: data[k] for k in data.files}
            if not np.isfinite(result["answer"]["tau"]).all():
                result["reason"] = "predicts torques that are no numbers"
        return result


def without_shapes(urdf: str, path: pathlib.Path) -> str:
    """Write a URDF without the shapes of its links, whose mesh files are not part of the logs' folders; all else stays as it is."""
    tree = xml.etree.ElementTree.parse(urdf)
    for link in tree.getroot().findall("link"):
        for shape in [e for e in link if e.tag in ("visual", "collision")]:
            link.remove(shape)
    tree.write(path)
    return str(path)


def error(predicted: np.ndarray, motions: list[trial.Motion], cutoff: float) -> float:
    """Return the relative error in per cent over all joints, both sides behind the judging filter: the one metric for all peers."""
    above = below = 0.0
    at = 0
    for m in motions:
        k = len(m.tau)
        part = trial.trim(m.rate)
        told, measured = (trial.lowpass(x, m.rate, cutoff)[part] for x in (predicted[at: at + k], m.tau))
        above += ((told - measured) ** 2).sum()
        below += (measured ** 2).sum()
        at += k
    return 100 * float(np.sqrt(above / below))


def states_of(motions: list[trial.Motion]) -> tuple:
    return tuple(np.concatenate([getattr(m, key) for m in motions]) for key in ("q", "dq", "ddq"))


def unseen(peers: Peers, which: list[str], chosen: list[logs.Log], keep: dict) -> None:
    """Fill keep["unseen"] with the error and the processor seconds of every peer on every log, alone and with our preprocessing."""
    table = keep.setdefault("unseen", {})
    for log in chosen:
        runs = [logs.read(log, part, peers.scratch) for part in log.train]
        motions = [trial.prepare(logs.uniform(logs.read(log, part, peers.scratch)), log.cutoff) for part in log.test]
        entry = table.setdefault(log.name, {})
        entry.update(split=log.split, cutoff=log.cutoff, joints=runs[0]["q"].shape[1], rows=sum(len(r["t"]) for r in runs))
        for peer in which:
            for given in peers.given:
                result = peers.fit(peer, log, runs, states_of(motions), given)
                cell = {"cpu": result.get("cpu")}
                if "reason" in result:
                    cell["reason"] = result["reason"]
                else:
                    cell["error"] = error(result["answer"]["tau"], motions, log.cutoff)
                entry.setdefault(peer, {})["given" if given else "own"] = cell
                print(log.name, peer, "given" if given else "own", cell, flush=True)
                peers.save(keep)


def truth(peers: Peers, which: list[str], chosen: list[logs.Log], keep: dict) -> None:
    """Fill keep["truth"] with the errors and the intervals of known parameters: the example robot, simulated, fitted from a rough file."""
    table, folder = keep.setdefault("truth", {}), peers.scratch
    example = logs.TREE / "datasets/example"
    known = str(folder / "known.urdf")
    ident("robot", "%s/puma560.urdf" % example, "--to", "urdf", "-o", known)
    rough = robots.rough(known, folder / "rough.urdf")
    for sensors in SENSORS:
        for seed in range(1, SEEDS + 1):
            path = str(folder / "simulated.csv.gz")
            words = ["simulate", known, "--trajectory", "%s/puma560.json" % example, "--repeat", "2", "--rate", "200", "--seed", str(seed), "-o", path]
            ident(*words, *(["--sensors", sensors] if sensors else []))
            log = logs.Log("simulated", rough, [(path, 0, 1)], [], 10, "")
            runs = [logs.read(log, log.train[0], folder)]
            exact = str(folder / "exact.csv.gz")
            ident("simulate", known, "--trajectory", "%s/puma560.json" % example, "--rate", "200", "--ideal", "-o", exact)
            ideal = logs.read(log, (exact, 0, 1), folder)
            motion = trial.prepare(logs.uniform(ideal), log.cutoff)
            for peer in which:
                for given in peers.given:
                    result = peers.fit(peer, log, runs, states_of([motion]), given, true_urdf=known)
                    cell = {"reason": result["reason"]} if "reason" in result else judged(result["answer"], motion, log.cutoff)
                    at = table.setdefault(sensors or "white noise", {}).setdefault(peer, {}).setdefault("given" if given else "own", {})
                    at[str(seed)] = cell
                    print(sensors, seed, peer, given, cell, flush=True)
                    peers.save(keep)


def judged(answer: dict, motion: trial.Motion, cutoff: float) -> dict:
    """Return the error of noise-free torques, and of the tool's own base parameters how many, their median error, and the share in 95 %."""
    out = {"torque": error(answer["tau"], [motion], cutoff)}
    x, known = answer["estimate"], answer["truth"]
    fit = np.isfinite(known)
    out["parameters"] = int(fit.sum())
    large = fit & (abs(known) > 1e-9)
    out["median"] = 100 * float(np.median(abs(x[large] - known[large]) / abs(known[large])))
    if "sigma" in answer:
        out["inside"] = int((abs(x - known)[fit] <= 1.96 * answer["sigma"][fit]).sum())
    return out


def ident(*words: str) -> None:
    """Run the program built from the tree; its files replace older ones."""
    done = subprocess.run([os.environ["IDENT_PROGRAM"], *words, "--overwrite", "-q"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError("ident %s: %s" % (" ".join(words), done.stderr))


def faults(peers: Peers, which: list[str], chosen: list[logs.Log], keep: dict) -> None:
    """Fill keep["faults"] with what each tool says of ten faults put into one measured log."""
    table = keep.setdefault("faults", {})
    log = next(log for log in logs.all_logs() if log.name == "Panda UNISA")
    sound = logs.read(log, (log.train[0][0], 0, 1), peers.scratch)
    motion = trial.prepare(logs.uniform(sound), log.cutoff)
    for peer in which:
        first = peers.fit(peer, log, [sound], states_of([motion]), False, faulty=True)
        usual = {masked(line) for line in first.get("said", "").splitlines()}
        for name, (words, spoil) in FAULTS.items():
            result = peers.fit(peer, log, [spoil({k: v.copy() for k, v in sound.items()})], states_of([motion]), False, faulty=True)
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
            peers.save(keep)


def masked(line: str) -> str:
    """Return a line without its numbers, so that a figure alone is no new message."""
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
    "clock in milliseconds": ("milli|[^a-z]ms[^a-z]|clock|time unit|rate", milliseconds),
    "20 positions not a number": ("nan|finite|missing|not a number", missing_values),
    "6 torques of 9999": ("spike|outlier|impossible|9999", spikes),
    "torques 0.1 s late": ("late|delay|lag", late),
    "torque sensor stuck for half the log": ("stuck|held|constant|frozen|repeat", stuck),
    "3 s missing, clock runs on": ("jump|gap|missing|stretch", cut),
    "torque of a joint times 0.7": ("scale|gain|times|factor", scaled),
}
SENSORS = ["", "industrial"]
SEEDS = 2


def same(peers: Peers, which: list[str], chosen: list[logs.Log], keep: dict) -> None:
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
        answers = {peer: peers.fit(peer, log, [], states, False, evaluate=True) for peer in ("ident", *MODELS)}
        row = table.setdefault(name, {"joints": n})
        ours = answers["ident"]
        for peer in MODELS:
            theirs = answers[peer]
            if "reason" in ours or "reason" in theirs:
                row[peer] = {"reason": theirs.get("reason") or "ident " + ours["reason"]}
            else:
                row[peer] = differences(ours["answer"], theirs["answer"], known.reshape(-1))
            print(name, peer, row[peer], flush=True)
        peers.save(keep)


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


def speed(peers: Peers, which: list[str], chosen: list[logs.Log], keep: dict) -> None:
    """Fill keep["speed"] with processor seconds of one regressor of the example robot at many states."""
    table = keep.setdefault("speed", {})
    urdf = str(peers.scratch / "example.urdf")
    robots.plain(logs.TREE / "datasets/example/puma560.urdf", pathlib.Path(urdf))
    rng = np.random.default_rng(1)
    states = tuple(rng.uniform(-2, 2, (SPEED_STATES, 6)) for _ in range(3))
    log = logs.Log("example", urdf, [], [], 1, "")
    for peer in which:
        if peer in ("ident", *MODELS):
            runs = [peers.fit(peer, log, [], states, False, evaluate=True) for _ in range(3)]
            table[peer] = {"seconds": sorted(float(r["answer"]["seconds"]) for r in runs)} if all("answer" in r for r in runs) else {"reason": runs[-1].get("reason")}
            print(peer, table[peer], flush=True)
    keep["speed states"] = SPEED_STATES


def lines_of(peer: str) -> int:
    """Count the lines between the marks of a peer's scripts that are neither empty nor comments."""
    count = 0
    for name in ["fit_%s.py" % peer.replace("-", "_"), *SHARED.get(peer, [])]:
        inside = False
        for line in (HERE / name).read_text().splitlines():
            line = line.strip()
            if line in ("# user begins", "# user ends"):
                inside = line.endswith("begins")
            elif inside and line and not line.startswith("#"):
                count += 1
    return count


def main() -> None:
    import page

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for what was measured")
    parser.add_argument("--peer", action="append", help="a peer to run (default: all)")
    parser.add_argument("--log", action="append", help="a log to fit (default: all)")
    parser.add_argument("--given", choices=["own", "given"], action="append", help="whose preprocessing (default: both)")
    parser.add_argument("--part", action="append", help="a table to measure (default: all)")
    parser.add_argument("--page", type=pathlib.Path, default=TREE / "docs/peers.md", help="page to write")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    store = given.work / "measured.json"
    keep = json.loads(store.read_text()) if store.exists() else {}
    peers = Peers(given.work, [kind == "given" for kind in given.given or ["own", "given"]])
    which = given.peer or PEERS
    chosen = [log for log in logs.all_logs() if not given.log or log.name in given.log]
    for part, measure in PARTS.items():
        if not given.part or part in given.part:
            measure(peers, which, chosen, keep)
            peers.save(keep)
    keep["machine"] = page.machine()
    keep["lines"] = {peer: lines_of(peer) for peer in PEERS if (HERE / ("fit_%s.py" % peer.replace("-", "_"))).exists()}
    peers.save(keep)
    given.page.write_text(page.text(keep, TITLES))
    print(given.page)


PARTS = {"unseen": unseen, "truth": truth, "faults": faults, "same": same, "speed": speed}

if __name__ == "__main__":
    sys.exit(main())
