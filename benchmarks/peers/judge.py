"""Runs every peer on every log, judges all answers alike and writes docs/peers.md. See the script run."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree

import logs
import numpy as np
import trial

HERE = pathlib.Path(__file__).resolve().parent
TREE = logs.TREE
PEERS = ["ident", "figaroh", "pin", "drake", "mujoco-sysid", "mujoco"]
TITLES = {"ident": "ident", "figaroh": "figaroh", "pin": "Pinocchio + numpy", "drake": "Drake + numpy", "mujoco-sysid": "mujoco-sysid + numpy", "mujoco": "mujoco.sysid"}
SHARED = {"pin": ["least_squares.py"], "drake": ["least_squares.py"], "mujoco-sysid": ["least_squares.py"]}
MOST_SECONDS = 900


class Peers:
    """The peers' Pythons, made when first asked for."""

    def __init__(self, scratch: pathlib.Path) -> None:
        self.scratch, self.pythons = scratch, {}

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
            process = subprocess.Popen([python, str(HERE / script), *words], stdout=out, stderr=subprocess.STDOUT, env=env, cwd=self.scratch)
            began = time.monotonic()
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                if time.monotonic() - began > MOST_SECONDS:
                    process.kill()
                    os.wait4(process.pid, 0)
                    process.returncode = -9
                    return {"reason": "no answer in %d s" % MOST_SECONDS}
                time.sleep(0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
        text = said.read_text(errors="replace")
        result = {"code": process.returncode, "said": text, "cpu": usage.ru_utime + usage.ru_stime}
        if process.returncode:
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            result["reason"] = "stops: " + (lines[-1] if lines else "code %d" % process.returncode)[:200]
        return result

    def fit(self, peer: str, log: logs.Log, runs: list[dict], states: tuple, given: bool, truth: bool = False, faulty: bool = False) -> dict:
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
            subprocess.run([os.environ["IDENT_PROGRAM"], "robot", log.urdf, "--to", "urdf", "-o", urdf, "--overwrite", "-q"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        else:
            urdf = log.urdf
        arrays["friction"] = friction_of(log.urdf) if truth else np.zeros((0, 4))
        told = {"urdf": urdf, "cutoff": log.cutoff, "given": given, "coupled": log.coupled, "files": files, "truth": truth, "faulty": faulty, "runs": len(runs),
                "joints": [j.get("name") for j in moving(log.urdf)], "units": ["N" if j.get("type") == "prismatic" else "N·m" for j in moving(log.urdf)]}
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


def moving(urdf: str) -> list[xml.etree.ElementTree.Element]:
    """Return the joints of a URDF that move, in the order of the file."""
    return [j for j in xml.etree.ElementTree.parse(urdf).getroot().findall("joint") if j.get("type") != "fixed"]


def friction_of(urdf: str) -> np.ndarray:
    """Return viscous and Coulomb friction, no offset and no rotor inertia, of the moving joints of a URDF in the order of the file."""
    joints = moving(urdf)
    out = np.zeros((len(joints), 4))
    for row, joint in zip(out, joints):
        if (d := joint.find("dynamics")) is not None:
            row[:2] = float(d.get("damping", 0)), float(d.get("friction", 0))
    return out


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
            for given in (False, True):
                result = peers.fit(peer, log, runs, states_of(motions), given)
                cell = {"cpu": result.get("cpu")}
                if "reason" in result:
                    cell["reason"] = result["reason"]
                else:
                    cell["error"] = error(result["answer"]["tau"], motions, log.cutoff)
                entry.setdefault(peer, {})["given" if given else "own"] = cell
                print(log.name, peer, "given" if given else "own", cell, flush=True)


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
    parser.add_argument("--part", action="append", help="a table to measure (default: all)")
    parser.add_argument("--page", type=pathlib.Path, default=TREE / "docs/peers.md", help="page to write")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    store = given.work / "measured.json"
    keep = json.loads(store.read_text()) if store.exists() else {}
    peers = Peers(given.work)
    which = given.peer or PEERS
    chosen = [log for log in logs.all_logs() if not given.log or log.name in given.log]
    for part, measure in PARTS.items():
        if not given.part or part in given.part:
            measure(peers, which, chosen, keep)
            store.write_text(json.dumps(keep, indent=1))
    keep["lines"] = {peer: lines_of(peer) for peer in PEERS if (HERE / ("fit_%s.py" % peer.replace("-", "_"))).exists()}
    store.write_text(json.dumps(keep, indent=1))
    given.page.write_text(page.text(keep, TITLES))
    print(given.page)


PARTS = {"unseen": unseen}

if __name__ == "__main__":
    sys.exit(main())
