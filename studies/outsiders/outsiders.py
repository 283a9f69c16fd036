"""Puts faults into logs that no part of ident has made, and counts what `ident check` says of them.

Robots, motions, drives and faults are numpy's; the dynamics are Pinocchio's. Most kinds have no row in the doctor's table of
causes: there the right answer is `unexplained`, with the right class. expected.json, beside this file, lists for each kind the ids
that are right, and the class; it was written before the first run.

    python outsiders.py --ident ident [--part N --deal K] [--out records.jsonl] [--kind REGEX] [--robot REGEX]

Needs numpy, scipy and pin (Pinocchio).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import pinocchio as pin
from scipy.signal import butter, sosfiltfilt

RATE, SECONDS, PERIOD = 200, 24, 12.0

# joint: (type, axis, xyz of its frame, rpy of its frame)
ROBOTS = {
    "six": [  # an arm like those of many makers, 6 axes
        ("revolute", "0 0 1", (0, 0, 0.16), (0, 0, 0)),
        ("revolute", "0 1 0", (0, 0.13, 0), (0, 0, 0)),
        ("revolute", "0 1 0", (0.45, -0.1, 0), (0, 0, 0)),
        ("revolute", "0 1 0", (0.39, 0, 0), (0, 0, 0)),
        ("revolute", "0 0 1", (0, 0.09, 0), (0, 0, 0)),
        ("revolute", "0 1 0", (0, 0, -0.09), (0, 0, 0)),
    ],
    "seven": [
        ("revolute", "0 0 1", (0, 0, 0.33), (0, 0, 0)),
        ("revolute", "0 0 1", (0, 0, 0), (-np.pi / 2, 0, 0)),
        ("revolute", "0 0 1", (0, -0.31, 0), (np.pi / 2, 0, 0)),
        ("revolute", "0 0 1", (0.08, 0, 0), (np.pi / 2, 0, 0)),
        ("revolute", "0 0 1", (-0.08, 0.38, 0), (-np.pi / 2, 0, 0)),
        ("revolute", "0 0 1", (0, 0, 0), (np.pi / 2, 0, 0)),
        ("revolute", "0 0 1", (0.09, 0, 0), (np.pi / 2, 0, 0)),
    ],
    "four": [  # a palletiser: turntable, two links, a wrist
        ("revolute", "0 0 1", (0, 0, 0.4), (0, 0, 0)),
        ("revolute", "0 1 0", (0.15, 0, 0.2), (0, 0, 0)),
        ("revolute", "0 1 0", (0.6, 0, 0), (0, 0, 0)),
        ("revolute", "1 0 0", (0.5, 0, 0.1), (0, 0, 0)),
    ],
}
MASSES = {"six": (6.5, 11, 4.5, 2.2, 1.7, 0.6), "seven": (4.6, 3.9, 3.6, 3.2, 2.6, 1.8, 0.9), "four": (40, 30, 18, 6)}


def joints_of(name):
    return [dict(kind=k, axis=a, xyz=list(p), rpy=list(r)) for k, a, p, r in ROBOTS[name]]


def bodies_of(name, joints):
    """Bodies that hold together: a rod along the way to the next joint, and a lump at the joint."""
    out = []
    for i, m in enumerate(MASSES[name]):
        to = np.array(joints[i + 1]["xyz"]) if i + 1 < len(joints) else np.array([0.03, 0.02, 0.08])
        c = 0.45 * to + np.array([0.006, -0.009, 0.012])
        r = 0.05 + 0.012 * m**0.5
        inertia = m * (0.4 * r * r * np.eye(3) + (to @ to * np.eye(3) - np.outer(to, to)) / 12)
        out.append((m, c, inertia))
    return out


def urdf(joints, bodies):
    n = len(joints)
    text = ['<?xml version="1.0"?>', '<robot name="arm">', '<link name="base"/>']
    for i in range(n):
        m, c, I = bodies[i]
        text.append(
            f'<link name="l{i+1}"><inertial><origin xyz="{c[0]} {c[1]} {c[2]}"/><mass value="{m}"/>'
            f'<inertia ixx="{I[0,0]}" ixy="{I[0,1]}" ixz="{I[0,2]}" iyy="{I[1,1]}" iyz="{I[1,2]}" izz="{I[2,2]}"/></inertial></link>'
        )
        j = joints[i]
        parent = "base" if i == 0 else f"l{i}"
        text.append(
            f'<joint name="j{i+1}" type="{j["kind"]}"><parent link="{parent}"/><child link="l{i+1}"/>'
            f'<origin xyz="{j["xyz"][0]} {j["xyz"][1]} {j["xyz"][2]}" rpy="{j["rpy"][0]} {j["rpy"][1]} {j["rpy"][2]}"/>'
            f'<axis xyz="{j["axis"]}"/><limit lower="-6.2" upper="6.2" velocity="8" effort="2000"/></joint>'
        )
    text.append("</robot>")
    return "\n".join(text)


def smooth(x, hz=10.0):
    return sosfiltfilt(butter(2, hz, fs=RATE, output="sos"), x, axis=-1)


class Run:
    """A robot, its motion and the torques that its sensors would show, before and after a fault."""

    def __init__(self, name, seed, table=False):
        self.name, self.rng = name, np.random.default_rng(seed)
        self.joints = joints_of(name)
        self.bodies = bodies_of(name, self.joints)
        self.model = pin.buildModelFromXML(urdf(self.joints, self.bodies))
        self.data = self.model.createData()
        n = self.n = self.model.nv
        self.t = np.arange(SECONDS * RATE) / RATE
        w = 2 * np.pi / PERIOD
        self.q = np.zeros((n, len(self.t)))
        self.v, self.a = self.q.copy(), self.q.copy()
        for j in range(n):
            for k in range(1, 7):
                s, c = self.rng.normal(size=2) * 0.55 / k**0.9
                self.q[j] += s * np.sin(w * k * self.t) + c * np.cos(w * k * self.t)
                self.v[j] += w * k * (s * np.cos(w * k * self.t) - c * np.sin(w * k * self.t))
                self.a[j] -= (w * k) ** 2 * (s * np.sin(w * k * self.t) + c * np.cos(w * k * self.t))
            self.q[j] += [0.2, -0.7, 0.9, -0.4, 0.3, 0.2, 0.1][j]
        self.scale = np.array([np.sum(MASSES[name][j:]) for j in range(n)]) ** 0.7
        self.rotor = 0.03 * self.scale
        self.fv, self.fs = 0.35 * self.scale, 0.5 * self.scale
        self.offset = 0.05 * self.scale * self.rng.normal(size=n)
        self.gravity = np.array([0, 0, -9.81])
        self.log_q, self.stamps = self.q.copy(), self.t.copy()
        self.file_joints, self.file_bodies = joints_of(name), None
        self.args = []
        self.body = self.rnea()
        self.tau = self.body + self.friction()

    def rnea(self, gravity=None, q=None, v=None, a=None, base=None):
        """Torques of the bodies; gravity may be one vector a row."""
        q, v, a = (self.q if q is None else q), (self.v if v is None else v), (self.a if a is None else a)
        out = np.empty_like(q)
        for k in range(q.shape[1]):
            g = self.gravity if gravity is None else gravity if gravity.ndim == 1 else gravity[:, k]
            self.model.gravity.linear = g
            out[:, k] = pin.rnea(self.model, self.data, q[:, k].copy(), v[:, k].copy(), a[:, k].copy())
        return out

    def friction(self):
        return (
            self.rotor[:, None] * self.a
            + self.fv[:, None] * self.v
            + self.fs[:, None] * np.tanh(self.v / 0.01)
            + self.offset[:, None]
        )

    def jacobian_torque(self, force):
        """Torques that hold an outer force at the tip, force by row in the world: of the drives, so with a minus."""
        out = np.empty_like(self.q)
        for k in range(self.q.shape[1]):
            J = pin.computeJointJacobian(self.model, self.data, self.q[:, k].copy(), self.n)
            R = self.data.oMi[self.n].rotation
            out[:, k] = -J[:3].T @ (R.T @ force[:, k])
        return out

    def tip(self):
        out = np.empty((3, self.q.shape[1]))
        for k in range(self.q.shape[1]):
            pin.forwardKinematics(self.model, self.data, self.q[:, k].copy())
            out[:, k] = self.data.oMi[self.n].translation
        return out

    def measured(self, tau=None, q=None):
        """Sensors: noise of one per cent of each torque's spread, encoders of 20 bits."""
        tau, q = (self.tau if tau is None else tau), (self.log_q if q is None else q)
        noise = np.random.default_rng(7).normal(size=tau.shape)
        step = 2 * np.pi / 2**20
        return np.round(q / step) * step, tau + 0.02 * np.std(tau, axis=1, keepdims=True) * noise

    def write(self, folder):
        q, tau = self.measured()
        rng = np.random.default_rng(11)
        rough = []
        for m, c, I in self.file_bodies or self.bodies:
            by = np.exp(0.2 * rng.normal())
            rough.append((m * by, c + 0.01 * rng.normal(size=3), I * by))
        log, robot = os.path.join(folder, "log.csv"), os.path.join(folder, "arm.urdf")
        with open(robot, "w") as f:
            f.write(urdf(self.file_joints, rough))
        names = ["t"] + [f"q{j+1}" for j in range(self.n)] + [f"tau{j+1}" for j in range(self.n)]
        np.savetxt(log, np.vstack([self.stamps, q, tau]).T, delimiter=",", header=",".join(names), comments="", fmt="%.9g")
        return log, robot


# Faults. Each gets a run and a size of 0, 1 or 2, and changes what is logged or what the file says.
def slip(r, s):
    r.log_q[1, len(r.t) // 2 :] += (0.05, 0.15, 0.5)[s]


def rectified(r, s):
    r.tau[[r.n - 1, 2, 1][s]] = np.abs(r.tau[[r.n - 1, 2, 1][s]])


def crosstalk(r, s):
    r.tau[2] += (0.03, 0.1, 0.3)[s] * r.tau[1]


def load_friction(r, s):
    r.tau += (0.08, 0.16, 0.32)[s] * np.abs(r.body) * np.tanh(r.v / 0.01)


def cord(r, s):
    x = r.tip()
    r.tau += r.jacobian_torque(-((15, 60, 240)[s]) * (x - np.array([[0.3], [0.2], [0.9]])))


def gravity_unit(r, s):
    r.args = ["--gravity", ("0,0,-32.174", "0,0,-1", "0,0,-1.62")[s]]


def belt(r, s):
    r.log_q[r.n - 1] += (0.1, 0.3, 1.0)[s] * r.log_q[r.n - 2]


def torque_hysteresis(r, s):
    for j in range(r.n):
        half, y, out = (0.03, 0.08, 0.16)[s] * np.ptp(r.tau[j]) / 2, r.tau[j, 0], np.empty(len(r.t))
        for k, x in enumerate(r.tau[j]):
            y = min(max(y, x - half), x + half)
            out[k] = y
        r.tau[j] = out


def guided(r, s):
    f = np.zeros((3, len(r.t)))
    for i in range(4):
        at = int((2.5 + 5.3 * i) * RATE)
        n = int(1.6 * RATE)
        f[:, at : at + n] = r.rng.normal(size=(3, 1)) * (12, 35, 100)[s] * np.hanning(n)
    r.tau += r.jacobian_torque(f)


def mobile_base(r, s):
    w, a = 2 * np.pi * 0.31, np.radians((1.5, 4, 10)[s])
    pitch, roll = a * np.sin(w * r.t), 0.7 * a * np.cos(1.37 * w * r.t)
    g = 9.81 * np.vstack([-np.sin(pitch), np.sin(roll) * np.cos(pitch), -np.cos(roll) * np.cos(pitch)])
    r.tau += r.rnea(gravity=g) - r.body


def base_tips(r, s):
    a = np.radians((2, 5, 12)[s]) * r.t / r.t[-1]
    g = 9.81 * np.vstack([-np.sin(a), 0 * a, -np.cos(a)])
    r.tau += r.rnea(gravity=g) - r.body


def elastic(r, s):
    top = np.max(np.abs(r.tau), axis=1, keepdims=True)
    r.log_q += (0.01, 0.03, 0.08)[s] * r.tau / top


def hard_stop(r, s):
    edge = np.quantile(r.q[1], (0.93, 0.8, 0.65)[s])
    r.tau[1] += 4 * np.std(r.tau[1]) * np.maximum(r.q[1] - edge, 0) / (np.max(r.q[1]) - edge)


def standard_dh(r, s):
    # The offset of a link is put before the turn of the joint in place of after it.
    i = (min(3, r.n - 1), 2, 1)[s]
    x = r.file_joints[i]["xyz"]
    r.file_joints[i]["xyz"] = [x[1] + 0.12 * (s + 1), x[0], x[2] - 0.05]
    r.file_joints[i]["rpy"] = [r.file_joints[i]["rpy"][0] + np.pi / 2, r.file_joints[i]["rpy"][1], r.file_joints[i]["rpy"][2]]


def other_robot(r, s):
    for j in r.file_joints[1:]:
        j["xyz"] = [(1.15, 1.4, 2.0)[s] * v if i == 0 else v for i, v in enumerate(j["xyz"])]


def mirrored(r, s):
    i = (r.n - 1, 2, 1)[s]
    j = r.file_joints[i]
    j["axis"] = " ".join(str(-float(v)) for v in j["axis"].split())


def gear_play(r, s):
    for j in range(r.n):
        half = (0.003, 0.01, 0.03)[s]
        r.log_q[j] += half * np.tanh(r.v[j] / 0.02)


def stamps(r, s):
    step, jitter = ((0.001, 0.0005), (0.002, 0.002), (0.005, 0.005))[s]
    r.stamps = np.sort(np.round((r.t + jitter * r.rng.uniform(-1, 1, len(r.t))) / step) * step)


def warming(r, s):
    fade = 1 + (0.3, 0.8, 1.6)[s] * np.exp(-r.t / 7)
    r.tau += (fade - 1) * (r.fv[:, None] * r.v + r.fs[:, None] * np.tanh(r.v / 0.01))


def another_unit(r, s):
    r.log_q[:, len(r.t) // 2 :] += np.radians((1.5, 4, 10)[s]) * r.rng.choice([-1, 1], size=(r.n, 1))


def motor_side(r, s):
    r.tau /= np.array([101, 80, 101, 50, 50, 30, 100])[: r.n, None] if s == 2 else np.where(np.arange(r.n) < r.n // (2 - s), 1.0, (1.6, 5)[s])[:, None]


def normalised(r, s):
    which = (slice(r.n - 1, r.n), slice(0, 2), slice(0, r.n))[s]
    lo, hi = r.log_q[which].min(axis=1, keepdims=True), r.log_q[which].max(axis=1, keepdims=True)
    r.log_q[which] = 200 * (r.log_q[which] - lo) / (hi - lo) - 100


def commanded(r, s):
    late = (0.04, 0.1, 0.25)[s]
    k = int(late * RATE)
    r.log_q = np.concatenate([r.q[:, k:], np.repeat(r.q[:, -1:], k, axis=1)], axis=1)
    n = len(r.t) - k
    r.log_q, r.tau, r.stamps, r.t = r.log_q[:, :n], r.tau[:, :n], r.stamps[:n], r.t[:n]


def ratings(r, s):
    top = np.max(np.abs(r.tau), axis=1, keepdims=True)
    nominal = np.array([1.2, 1.9, 1.4, 2.2, 1.1, 1.7, 1.3])[: r.n, None] * top
    r.tau = np.where(np.arange(r.n)[:, None] < (1, 2, r.n)[s], 100 * r.tau / nominal, r.tau)


def balancer(r, s):
    r.tau[1] -= (0.2, 0.5, 1.0)[s] * 1.5 * np.std(r.tau[1]) * np.sin(1.5 * r.q[1] + 0.6) * np.abs(np.sin(1.5 * r.q[1] + 0.6))


def ripple(r, s):
    r.tau += (0.05, 0.12, 0.3)[s] * np.std(r.tau, axis=1, keepdims=True) * np.sin(12 * r.q + 0.4)


def load_lost(r, s):
    m = pin.Inertia((0.5, 1.5, 4)[s], np.array([0.02, 0, 0.1]), 0.002 * np.eye(3))
    loaded = r.model.copy()
    loaded.inertias[r.n] = loaded.inertias[r.n] + m
    keep, r.model = r.model, loaded
    r.data = loaded.createData()
    with_it = r.rnea()
    r.model, r.data = keep, keep.createData()
    r.tau += (with_it - r.body) * (r.t < 0.55 * r.t[-1])


# Kinds of the table, made anew.
def scale_one(r, s):
    r.tau[1] *= (0.85, 0.7, 1.6)[s]


def zero_one(r, s):
    r.log_q[2] += np.radians((4, 10, 25)[s])


def sign_one(r, s):
    r.tau[(r.n - 1, 2, 1)[s]] *= -1


def order_two(r, s):
    i, j = ((r.n - 2, r.n - 1), (0, 1), (1, 2))[s]
    r.tau[[i, j]] = r.tau[[j, i]]


def tilt(r, s):
    a = np.radians((4, 12, 35)[s])
    r.tau += r.rnea(gravity=9.81 * np.array([-np.sin(a), 0, -np.cos(a)])) - r.body


def late_all(r, s):
    k = int((0.04, 0.1, 0.4)[s] * RATE)
    r.tau = np.roll(r.tau, k, axis=1)  # the motion is periodic


def clipped(r, s):
    top = (0.8, 0.6, 0.4)[s] * np.max(np.abs(r.tau[1]))
    r.tau[1] = np.clip(r.tau[1], -top, top)


def clock_fast(r, s):
    r.stamps = r.stamps * (1.08, 1.25, 0.5)[s]


def degrees(r, s):
    which = (slice(r.n - 1, r.n), slice(1, 3), slice(0, r.n))[s]
    r.log_q[which] = np.degrees(r.log_q[which])


def spring_drift(r, s):
    r.tau[1] += (0.3, 1, 3)[s] * 0.3 * np.std(r.tau[1]) * (r.t / r.t[-1] - 0.5)


KINDS = {f.__name__: f for f in [
    slip, rectified, crosstalk, load_friction, cord, gravity_unit, belt, torque_hysteresis, guided, mobile_base, base_tips, elastic,
    hard_stop, standard_dh, other_robot, mirrored, gear_play, stamps, warming, another_unit, motor_side, normalised, commanded, ratings,
    balancer, ripple, load_lost,
    scale_one, zero_one, sign_one, order_two, tilt, late_all, clipped, clock_fast, degrees, spring_drift,
]}  # fmt: skip


def rows(model, data, q, v, a, n):
    """The regressor of a free fit: bodies, rotors, friction, offsets, by joint one block of rows."""
    at = range(0, q.shape[1], 8)
    Y = np.stack([pin.computeJointTorqueRegressor(model, data, q[:, k].copy(), v[:, k].copy(), a[:, k].copy()) for k in at], axis=1)
    own = np.zeros((n, len(at), 4 * n))
    for j in range(n):
        for i, x in enumerate((a[j], v[j], np.tanh(v[j] / 0.01), np.ones_like(v[j]))):
            own[j, :, 4 * j + i] = x[::8]
    return np.concatenate([Y, own], axis=2)


def unseen(r, clean):
    """The error, on a motion never seen, of a free fit to the faulty log: relative to the torques."""
    folder = tempfile.mkdtemp()
    _, robot = r.write(folder)
    model = pin.buildModelFromUrdf(robot)
    if r.args:
        model.gravity.linear = np.array([float(x) for x in r.args[1].split(",")])
    data, n = model.createData(), model.nv
    q, tau = r.measured()
    dt = np.median(np.diff(r.stamps))
    q, tau = smooth(q), smooth(tau)
    v = np.gradient(q, dt, axis=1)
    a = np.gradient(v, dt, axis=1)
    cut = slice(60, -60)
    W = rows(model, data, q[:, cut], v[:, cut], a[:, cut], n)
    y = tau[:, cut][:, ::8]
    weight = 1 / np.std(y, axis=1)
    A, b = (W * weight[:, None, None]).reshape(-1, W.shape[2]), (y * weight[:, None]).ravel()
    size = np.linalg.norm(A, axis=0)
    size[size == 0] = 1
    chi = np.linalg.lstsq(A / size, b, rcond=1e-7)[0] / size
    Wc = rows(model, data, clean.q, clean.v, clean.a, n)
    left = clean.tau[:, ::8] - Wc @ chi
    return float(np.sqrt(np.mean((left / np.std(clean.tau, axis=1, keepdims=True)) ** 2)))


# Findings that are properties of a log, or say what it cannot determine: never a cause.
REMARKS = {"clock-jitter", "clock-gap", "aliasing", "excitation-collinear", "excitation-small", "skipped", "edge-transient", "quantised"}


def judged(document, want):
    """named, class, unexplained, wrong or silent, by the first finding above info."""
    lead = None
    for f in document.get("findings", []):
        if f["severity"] == "info" or f["id"] in REMARKS and f["id"] not in want["ids"]:
            continue
        lead = f
        break
    if lead is None:
        return "silent", ""
    text = f'{lead["id"]} {lead.get("joint") or lead.get("channel") or ""} {lead.get("value", 0):.3g} {"/".join(lead.get("group") or [])}'
    if lead["id"] == "unexplained":
        text += lead.get("class", "") + " " + " ".join(f'{x["id"]}:{x["explains"]:.2f}' for x in lead.get("nearest", []))
        right = lead.get("class") in (want["class"], "unclear") or want["class"] == "any"
        return ("unexplained" if right else "unexplained, other class"), text
    if set([lead["id"]] + (lead.get("group") or [])) & set(want["ids"]):
        return "named", text
    return "wrong", text


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--ident", required=True)
    p.add_argument("--part", type=int, default=1)
    p.add_argument("--deal", type=int, default=0)
    p.add_argument("--out")
    p.add_argument("--kind", default="")
    p.add_argument("--robot", default="")
    p.add_argument("--sizes", default="012")
    p.add_argument("-v", action="store_true")
    o = p.parse_args()
    expected = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "expected.json")))
    records, at = [], 0
    known = {}
    if o.out and os.path.exists(o.out):
        known = {(x["robot"], x["kind"], x["size"]): x for x in map(json.loads, open(o.out))}
    for ri, robot in enumerate(ROBOTS):
        clean = test = None
        for kind in ["sound", *KINDS]:
            for size in map(int, o.sizes if kind != "sound" else "0"):
                at += 1
                if not re.search(o.kind, kind) or not re.search(o.robot, robot) or (at + ri) % o.part != o.deal:
                    continue
                if (robot, kind, size) in known:
                    records.append(known[robot, kind, size])
                    continue
                if test is None:
                    test = Run(robot, 1000 + ri)
                    clean = unseen(Run(robot, ri + 1), test)
                r = Run(robot, ri + 1)
                if kind != "sound":
                    KINDS[kind](r, size)
                with tempfile.TemporaryDirectory() as folder:
                    log, file = r.write(folder)
                    out = subprocess.run([o.ident, "check", log, "--robot", file, "--json", *r.args], capture_output=True, text=True)
                    try:
                        document = json.loads(out.stdout)
                    except ValueError:
                        document = {"findings": []}
                        sys.stderr.write(f"{robot} {kind} {size}: {out.stderr[:300]}\n")
                error = unseen(r, test) if kind != "sound" else clean
                verdict, text = judged(document, expected.get(kind, {"ids": [], "class": "any"}))
                x = dict(robot=robot, kind=kind, size=size, harmful=error > 1.5 * clean + 0.01, clean=clean, faulty=error, verdict=verdict, text=text)
                records.append(x)
                if o.out:
                    with open(o.out, "a") as f:
                        f.write(json.dumps(x) + "\n")
                if o.v:
                    print(f'{robot:6} {kind:18} {size} {"harmful " if x["harmful"] else "harmless"} {100*error:6.1f} % {verdict:12} {text}', flush=True)
    report(records, expected)


def report(records, expected):
    classes = ["named", "unexplained", "unexplained, other class", "wrong", "silent"]
    print("| kind | harmful | " + " | ".join(classes) + " | harmless: above info |\n|" + "---|" * (len(classes) + 3))
    def line(name, some):
        h = [x for x in some if x["harmful"]]
        rest = [x for x in some if not x["harmful"]]
        print(f"| {name} | {len(h)} | " + " | ".join(str(sum(x["verdict"] == c for x in h)) for c in classes) + f' | {sum(x["verdict"] != "silent" for x in rest)} of {len(rest)} |')
    for kind in ["sound", *KINDS]:
        some = [x for x in records if x["kind"] == kind]
        if some:
            line(kind, some)
    for group, name in (("new", "**new kinds**"), ("table", "**kinds of the table**")):
        line(name, [x for x in records if expected.get(x["kind"], {}).get("list") == group])
    for robot in ROBOTS:
        line(robot, [x for x in records if x["robot"] == robot and x["kind"] != "sound"])
    for s in range(3):
        line(f"size {s+1}", [x for x in records if x["size"] == s and x["kind"] != "sound"])


if __name__ == "__main__":
    main()
