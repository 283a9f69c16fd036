"""Runs the scripts of the peers. What a script answered is kept in the cache under the hash of all that it depends on."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import time
import xml.etree.ElementTree

import logs
import numpy as np
import trial

HERE = pathlib.Path(__file__).resolve().parent
TREE = logs.TREE
TITLES = {
    "ident": "ident",
    "cvxpy": "Pinocchio + cvxpy",
    "figaroh": "figaroh, WLS",
    "figaroh-lmi": "figaroh, physical_fit",
    "mujoco": "mujoco.sysid",
    "pin": "Pinocchio + numpy",
    "drake": "Drake + numpy",
    "mujoco-sysid": "mujoco-sysid + numpy",
}
SCRIPTS = {"figaroh-lmi": "fit_figaroh.py"}  # of the others fit_PEER.py
PACKAGES = {"figaroh-lmi": "figaroh"}  # lists of packages of peers that share one; of the others PEER.txt
SHARED = {
    "pin": ["rows.py", "least_squares.py"],
    "drake": ["rows.py", "least_squares.py"],
    "mujoco-sysid": ["rows.py", "least_squares.py"],
    "cvxpy": ["rows.py", "least_squares.py"],
    "mujoco": ["rows.py"],
}
NOT_MEASURED = "not measured"
MOST_SECONDS = 120  # of processor time, for one fit


def script(peer: str) -> str:
    return SCRIPTS.get(peer, "fit_%s.py" % peer.replace("-", "_"))


def lines_of(peer: str) -> int:
    """Count the lines between the marks of a peer's scripts that are neither empty nor comments."""
    count = 0
    for name in [script(peer), *SHARED.get(peer, [])]:
        inside = False
        for line in (HERE / name).read_text().splitlines():
            line = line.strip()
            if line in ("# user begins", "# user ends"):
                inside = line.endswith("begins")
            elif inside and line and not line.startswith("#"):
                count += 1
    return count


class Peers:
    """The peers' Pythons, made when first asked for, and their answers, kept in a folder."""

    def __init__(self, work: pathlib.Path, which: list[str], fresh: bool, kept: bool, seeds: int) -> None:
        self.work, self.which, self.fresh, self.kept, self.seeds, self.pythons = work, which, fresh, kept, seeds, {}
        self.place = tempfile.TemporaryDirectory(prefix="peers")
        self.scratch, self.cells = pathlib.Path(self.place.name), work / "cells"
        self.cells.mkdir(parents=True, exist_ok=True)
        self.program = hashlib.sha256(pathlib.Path(os.environ["IDENT_PROGRAM"]).read_bytes()).hexdigest()
        self.days: set[str] = set()  # on which the answers that were used were measured

    def python(self, peer: str) -> tuple[str, str]:
        """Return the Python of a peer, or "" and why it does not install."""
        peer = PACKAGES.get(peer, peer)
        if peer not in self.pythons:
            made = subprocess.run([str(TREE / ".ci/venv"), str(HERE / peer)], capture_output=True, text=True)
            words = [line for line in made.stderr.splitlines() if line.strip()]
            self.pythons[peer] = (made.stdout.strip(), "") if made.returncode == 0 else ("", "does not install: " + (words[-1] if words else "no reason said"))
        return self.pythons[peer]

    def key(self, peer: str, told: dict, arrays: dict, time: int) -> str:
        """Return the hash of a fit: scripts, packages, the program where it is ident's, robot files, rows, and which time it is."""
        h = hashlib.sha256()
        for name in [script(peer), *SHARED.get(peer, []), "trial.py", PACKAGES.get(peer, peer) + ".txt"]:
            h.update((HERE / name).read_bytes())
        if peer == "ident":
            h.update(self.program.encode())
        for name in ("urdf", "true_urdf"):
            if told[name]:
                h.update(pathlib.Path(told[name]).read_bytes())
        h.update(json.dumps({k: v for k, v in told.items() if k not in ("urdf", "true_urdf", "files")} | {"time": time}, sort_keys=True).encode())
        for name in sorted(arrays):
            h.update(name.encode() + np.ascontiguousarray(arrays[name]).tobytes())
        return h.hexdigest()[:32]

    def fit(self, peer: str, log: logs.Log, runs: list[dict], states: tuple, true_urdf: str = "", faulty: bool = False, evaluate: bool = False, time: int = 1) -> dict:
        """Let a peer fit rows and predict states; the same fit of another time is measured again."""
        files = [self.scratch / ("train%d.csv" % i) for i in range(len(runs))]
        arrays: dict = {"states_q": states[0], "states_dq": states[1], "states_ddq": states[2]}
        for i, rows in enumerate(runs):
            run = logs.uniform(rows)
            arrays.update({"t%d" % i: run.t, "q%d" % i: run.q, "tau%d" % i: run.tau})
            if run.dq is not None:
                arrays["dq%d" % i] = run.dq
        joints = trial.moving(log.urdf)
        told = {"urdf": repaired(log.urdf, self.scratch / "robot.urdf"), "cutoff": log.cutoff, "coupled": log.coupled and peer != "ident", "files": [str(f) for f in files], "true_urdf": true_urdf,
                "faulty": faulty, "evaluate": evaluate, "runs": len(runs), "joints": [j.get("name") for j in joints], "units": ["N" if j.get("type") == "prismatic" else "N·m" for j in joints],
                "variant": peer.partition("-")[2]}
        kept = self.cells / self.key(peer, told, arrays, time)
        if self.kept and not kept.with_suffix(".json").exists():
            return {"reason": NOT_MEASURED}
        if self.fresh or not kept.with_suffix(".json").exists():
            for rows, file in zip(runs, files):
                logs.write(rows, file)
            job, answer = self.scratch / "job.npz", kept.with_suffix(".npz")
            np.savez(job, job=json.dumps(told), **arrays)
            answer.unlink(missing_ok=True)
            result = self.run(peer, [str(job), str(answer)])
            if "does not install" not in result.get("reason", ""):
                kept.with_suffix(".json").write_text(json.dumps(result))
        result = json.loads(kept.with_suffix(".json").read_text()) if kept.with_suffix(".json").exists() else result
        self.days.add(result.get("day", ""))
        if "reason" not in result:
            with np.load(kept.with_suffix(".npz")) as data:
                result["answer"] = {k: data[k] for k in data.files}
            if not np.isfinite(result["answer"]["tau"]).all():
                result["reason"] = "predicts torques that are no numbers"
        return result

    def run(self, peer: str, words: list[str]) -> dict:
        """Run a script of a peer; return its exit code, what it printed, its processor seconds and peak memory, its reason where it failed."""
        python, why = self.python(peer)
        if not python:
            return {"reason": why}
        env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONPATH": str(TREE / "python/src") if peer == "ident" else "",
               "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg"}
        said = self.scratch / "said.txt"
        began, busy_before = time.monotonic(), busy()
        with open(said, "wb") as out:
            process = subprocess.Popen([python, str(HERE / script(peer)), *words], stdout=out, stderr=subprocess.STDOUT, env=env, cwd=self.scratch,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 5)))
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu = usage.ru_utime + usage.ru_stime
        text = said.read_text(errors="replace")
        result = {"code": process.returncode, "said": text, "cpu": cpu, "memory": usage.ru_maxrss / 1024,
                  "others": max(0.0, (busy() - busy_before - cpu) / (time.monotonic() - began)), "day": datetime.date.today().isoformat()}
        if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            result["reason"] = "no answer in %d s of processor time" % MOST_SECONDS
        elif process.returncode:
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            raised = [i for i, line in enumerate(lines) if re.match(r"[\w.]*(Error|Exception)\b", line)]
            words = " ".join(lines[raised[-1]:] if raised else lines[-1:])
            result["reason"] = "stops: " + (words or "code %d" % process.returncode)[:200]
        return result


def busy() -> float:
    """Return the processor seconds that all programs of this machine have used; 0 where the system does not tell."""
    try:
        user, nice, system, _, _, irq, soft = (float(x) for x in pathlib.Path("/proc/stat").read_text().split()[1:8])
    except (OSError, ValueError):
        return 0.0
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")


def repaired(urdf: str, path: pathlib.Path) -> str:
    """Write a URDF as a user repairs it for whatever tool: no shapes, whose mesh files are not part of the logs, and of repeated origins the first."""
    tree = xml.etree.ElementTree.parse(urdf)
    for element in tree.getroot():
        if element.tag in ("link", "joint"):
            for e in [e for e in element if e.tag in ("visual", "collision")] + element.findall("origin")[1:]:
                element.remove(e)
    tree.write(path)
    return str(path)


def ident(*words: str) -> None:
    """Run the program built from the tree; its files replace older ones."""
    done = subprocess.run([os.environ["IDENT_PROGRAM"], *words, "--overwrite", "-q"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError("ident %s: %s" % (" ".join(words), done.stderr))
