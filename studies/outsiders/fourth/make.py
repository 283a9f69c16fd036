"""make.py FOLDER [--expected]: writes the logs; with --expected also expected.json beside this file."""
import copy
import json
import os
import sys
from types import SimpleNamespace
import numpy as np
import bodies
import lab
from kinds import KINDS

HERE = os.path.dirname(os.path.abspath(__file__))
LENGTH = 24


def motion_of(robot, r, size):
    return lab.Points(robot, r, LENGTH) if size == 1 and r.uniform() < .5 else lab.Sines(robot, r, period=8. if r.uniform() < .5 else None)


def harmful(folder, expected):
    for robot in [lab.Robot(x) for x in bodies.ROBOTS]:
        for k in KINDS:
            for size in range(3):
                run = f"{k['name']}-{robot.name}-{size + 1}"
                if expected is None and not (run in KEPT):
                    continue
                r = lab.rng_of(run)
                sim = lab.Sim(robot, motion_of(robot, r, size))
                second = lab.Sim(robot, lab.Sines(robot, r))
                clean = sim.record(r, robot.spec["rate"], LENGTH)
                before = lab.error(robot, second, lab.free_fit(robot, lab.sense(robot, sim, clean)))
                # The first joint, in an order by chance, at which the fault harms.
                for j in r.permutation(robot.n) if k["joints"] != "none" else [int(r.integers(robot.n))]:
                    c = SimpleNamespace(robot=robot, sim=sim, r=lab.rng_of(run, int(j)))
                    log = copy.deepcopy(clean)
                    log = lab.sense(robot, sim, log if k["after"] else k["fault"](c, size, int(j), log))
                    if k["after"]:
                        log = k["fault"](c, size, int(j), log)
                    after = lab.error(robot, second, lab.free_fit(robot, log))
                    if after >= 1.5 * before and after - before >= .01:
                        break
                else:
                    print("harmless", run, f"{before:.4f} {after:.4f}", flush=True)
                    continue
                lab.write_csv(os.path.join(folder, run + ".csv"), robot, log)
                i = int(j)
                two = i + 1 if i + 1 < robot.n else i - 1
                joints = {"one": [i + 1], "two": sorted([i + 1, two + 1]), "none": []}[k["joints"]]
                kin = k["kin"]
                if k["name"] == "wrong-sign" and size == 2:  # all torques but one: no joint is the wrong one for sure
                    joints, kin = [], ["gravity"]
                if expected is not None:
                    expected.append({"run": run, "robot": robot.name, "kind": k["name"], "new": k["new"], "size": size + 1,
                                     "harm": [round(before, 4), round(after, 4)], "class": k["cls"], "joints": joints, "allowed": k["allowed"], "kin": kin})


SOUND = ["sines", "sines-fast-rate", "sines-slow-rate", "period", "points", "points-few-digits", "alone", "standing", "no-friction", "plain-friction",
         "ms-stamps", "few-digits", "quiet", "noisy", "with-velocity-or-not"]


def sound(folder, expected):
    for robot in [lab.Robot(x) for x in bodies.ROBOTS]:
        for s in SOUND:
            run = f"sound-{s}-{robot.name}"
            r = lab.rng_of(run)
            still = [int(r.integers(robot.n))] if s == "standing" else ()
            m = (lab.Points(robot, r, 30, alone=s == "alone") if s in ("points", "points-few-digits", "alone")
                 else lab.Sines(robot, r, period=6. if s == "period" else None, still=still))
            sim = lab.Sim(robot, m, {"no-friction": "none", "plain-friction": "plain"}.get(s, "stribeck"))
            rate = {"sines-fast-rate": 500., "sines-slow-rate": 100., "points-few-digits": 100.}.get(s, robot.spec["rate"])
            log = sim.record(r, rate, 30 if s == "alone" else LENGTH)
            if s == "ms-stamps":  # the logger's turns come late by up to 0.4 ms, and so do its values
                t = log["t"] + r.uniform(0, 4e-4, len(log["t"]))
                log["q"], log["dq"], _ = sim.motion(t)
                log["tau"], log["t"] = sim.torque(t), np.round(t, 3)
            log = lab.sense(robot, sim, log, {"quiet": .001, "noisy": .03}.get(s, .007))
            velocity = (not robot.spec["velocity"]) if s == "with-velocity-or-not" else None
            lab.write_csv(os.path.join(folder, run + ".csv"), robot, log, velocity=velocity, plain=s in ("few-digits", "points-few-digits"))
            if expected is not None:
                expected.append({"run": run, "robot": robot.name, "kind": "sound", "new": False, "size": 0, "harm": [], "class": "", "joints": [], "allowed": [], "kin": []})


if __name__ == "__main__":
    folder = sys.argv[1]
    bodies.write(folder)
    path = os.path.join(HERE, "expected.json")
    expected = [] if "--expected" in sys.argv else None
    if expected is None:
        KEPT = {json.loads(x)["run"] for x in open(path)}
    sound(folder, expected)
    harmful(folder, expected)
    if expected is not None:
        with open(path, "w") as f:
            f.writelines(json.dumps(e) + "\n" for e in expected)
        print(len(expected), "runs,", sum(e["kind"] != "sound" for e in expected), "harmful")
