"""make.py FOLDER writes robots and logs of the round, and expected.json beside this file with --expected."""
import json
import os
import sys

import numpy as np

import bodies
import kinds
import lab

ROBOTS = ("shop6", "cobot6", "seven")
HARM = 1.05
LATE = ["lag-torque", "recorder-offset", "smoothed", "clock-jitter", "held", "time-jump", "clock-rate"]
GIT = "https://github.com/"
# Kind: (allowed names, other members of the remedy class, class, where it was met).
NAMES = {
    "lag_one": (["lag-torque"], LATE, "static", ""),
    "lag_all": (["recorder-offset", "lag-torque"], LATE, "static", ""),
    "flipped": (["sign"], ["joint-order", "friction-not-dissipative", "gear-ratio"], "static", ""),
    "swapped": (["joint-order"], ["sign", "copied", "coupling"], "static", ""),
    "zero": (["offset"], ["geometry", "gear-ratio"], "static", ""),
    "torque_ratio": (["gear-ratio"], ["units", "current-as-torque", "asymmetry"], "static", ""),
    "position_ratio": (["gear-ratio"], ["units", "geometry", "offset"], "static", ""),
    "grasped": (["payload"], ["contact"], "in-time", ""),
    "leaning": (["gravity"], ["geometry", "robot-mismatch"], "static", ""),
    "wrong_clock": (["clock-rate"], ["impossible-scale", "units"], "static", ""),
    "limited": (["saturated"], ["asymmetry"], "either", ""),
    "shared_wrist": (["coupling"], [], "static", ""),
    "softened": (["smoothed", "lag-torque"], LATE, "static", ""),
    "warming": (["drift"], [], "in-time", ""),
    "command_logged": (["elastic", "resonance"], [], "static", GIT + "RoboTwin-Platform/RoboTwin/issues/489"),
    "silent_slip": (["offset", "stuck"], [], "in-time", GIT + "agilexrobotics/piper_sdk/issues/120"),
    "loaded_friction": ([], ["torque-kind"], "static", GIT + "Rhoban/bam/issues/17"),
    "weak_magnet": (["current-as-torque"], ["gear-ratio", "units"], "static", GIT + "dzid26/StepperServoCAN/issues/16"),
    "hose": (["contact"], ["robot-mismatch"], "static", GIT + "jhu-dvrk/sawIntuitiveResearchKit/issues/3"),
    "oval_magnet": ([], ["offset", "geometry", "gear-ratio"], "static", GIT + "motionlayer/Tinymovr/issues/109"),
    "gas_spring": (["robot-mismatch", "contact"], [], "static", GIT + "PR2/pr2_simulator/issues/8"),
    "busy_bus": (["lag-torque", "recorder-offset", "clock-jitter"], LATE, "either", GIT + "Kinovarobotics/Kinova-kortex2_Gen3_G3L/issues/199"),
    "two_clocks": (["recorder-offset", "clock-rate", "lag-torque", "time-jump"], LATE, "in-time", GIT + "ros-industrial/motoman/issues/274"),
    "order_midway": (["joint-order"], ["time-jump", "copied"], "in-time", GIT + "kroshu/kuka_drivers/issues/254"),
    "short_integer": (["spike", "wrapped", "saturated"], ["dropout", "units"], "either", GIT + "alexhenning/I2CEncoder/issues/3"),
    "braked": (["torque-kind", "contact", "dropout", "dead", "stuck"], [], "in-time", GIT + "odriverobotics/ODrive/issues/704"),
    "retared": (["drift"], ["contact"], "in-time", GIT + "Kinovarobotics/ros_kortex/issues/237"),
    "crooked_axis": (["geometry", "robot-mismatch"], ["offset", "gravity"], "static", GIT + "enactic/openarm_description/issues/58"),
}


def noise(arm, u):
    """noise returns the standard deviation of each torque: half a per cent of its largest value."""
    return 0.005 * np.abs(u).max(0) + 1e-4


def faulty(folder):
    """faulty writes the logs of the harmful runs, and returns what is expected of each."""
    out = []
    for i, name in enumerate(ROBOTS):
        arm = lab.Arm(name)
        second = kinds.Run(name, 900 + i)
        truth = (second.q, second.dq, second.ddq)
        clean = second.sound()[1]
        sigma = noise(arm, clean)
        clean = clean + sigma * second.rng.normal(size=clean.shape)
        for k, (kind, (_, sizes, joints)) in enumerate(kinds.KINDS.items()):
            for z, s in enumerate(sizes):
                seed = 1000 + 100 * k + 10 * i + z
                j = joints[z % len(joints)]
                j = j if j is None else j % arm.n
                plain = kinds.Run(name, seed)
                q, u = plain.sound()
                base = lab.unseen(arm, lab.fit(arm, plain.t, *lab.sensors(plain.t, q, u, sigma, plain.rng)[::2], sigma), plain.t, truth, clean, sigma)
                for _ in range(5):
                    r = kinds.Run(name, seed)
                    t, q, u, end = kinds.channels(r, kind, s, j)
                    q, dq, u = lab.sensors(t, q, u, sigma, r.rng)
                    u = end(u)
                    harm = lab.unseen(arm, lab.fit(arm, t, q, u, sigma), t, truth, clean, sigma) / base
                    if harm > HARM:
                        break
                    s = kinds.harder(kind, s)
                if harm <= HARM:
                    continue
                at = f"{name}-{kind}-{z+1}"
                lab.write(os.path.join(folder, at + ".csv"), t, q, dq, u)
                allowed, kin, group, cite = NAMES[kind]
                out.append({"run": at, "robot": name, "kind": kind, "size": round(float(s), 5), "harm": round(harm, 3), "class": group,
                            "joints": [] if j is None else [j + 1, j + 2] if kind in ("swapped", "order_midway") else [j + 1],
                            "allowed": allowed, "kin": [x for x in kin if x not in allowed], **({"met": cite} if cite else {})})
    return out


def sound(folder):
    """sound writes forty logs without a fault, eight of each robot."""
    out = []
    for i, name in enumerate(bodies.CHAINS):
        for z, style in enumerate(("series", "standing", "turns", "stamps", "frictionless", "fast", "bare", "noisy")):
            seed = 7000 + 10 * i + z
            rate = 250.0 if style == "fast" else lab.RATE
            slide = 2 if name == "scara4" else None
            t, q, dq, ddq = lab.motion(lab.Arm(name).n, seed, style, rate, slide=slide)
            arm, rng = lab.Arm(name), np.random.default_rng(seed)
            u = arm.torque(q, dq, ddq) + (0 if style == "frictionless" else lab.friction(dq, arm.fc, arm.fv))
            sigma = noise(arm, u) * (4 if style == "noisy" else 1)
            q, dq, u = lab.sensors(t, q, u, sigma, rng, style != "bare")
            at = f"{name}-sound-{style}"
            if style == "stamps":  # the host stamps arrivals, in whole milliseconds
                t = np.round(t + rng.uniform(0, 0.002, len(t)), 3)
            lab.write(os.path.join(folder, at + ".csv"), t, q, dq, u, digits=3 if style == "stamps" else 6)
            out.append({"run": at, "robot": name, "kind": "sound"})
    return out


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for name in bodies.CHAINS:
        with open(os.path.join(folder, name + ".urdf"), "w") as f:
            f.write(bodies.urdf(name))
    runs = faulty(folder) + sound(folder)
    if "--expected" in sys.argv:
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "expected.json"), "w") as f:
            f.write("[\n" + ",\n".join(json.dumps(r) for r in runs) + "\n]\n")
    print(len(runs), "logs,", sum("harm" in r for r in runs), "of them harmful")


if __name__ == "__main__":
    main()
