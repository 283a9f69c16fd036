"""The faults. Each makes a log (before the sensor) wrong as laboratories do.

A fault is called as fault(c, size, j, log): c has the robot, the true Sim and a generator r; size is 0, 1, 2;
j is a joint from 0. It returns the log; those with AFTER change it after the sensor.
"""
import numpy as np
import pinocchio as pin
import bodies
import lab

KINDS = []


def kind(name, new, cls, allowed, kin=(), joints="one", after=False, note=""):
    def put(f):
        KINDS.append(dict(name=name, new=new, cls=cls, allowed=list(allowed), kin=list(kin), joints=joints, after=after, note=note, fault=f))
        return f
    return put


def stretches(r, T, count, span):
    """stretches draws intervals that do not touch each other."""
    room = (T - 4) / count
    starts = [2 + k * room + r.uniform(0, max(room - span - .2, .05)) for k in range(count)]
    return [(s, s + span) for s in starts]


def inside(t, parts):
    return np.any([(t >= a) & (t < b) for a, b in parts], axis=0)


def soft(t, a, b, rise=.08):
    return .5 * (np.tanh((t - a) / rise) - np.tanh((t - b) / rise))


# ---- new kinds: no finding has their name -------------------------------------------------------------

@kind("polled-in-turn", True, "static", ["unexplained"], ["recorder-offset", "lag-torque", "lag-velocity"], joints="none",
      note="a serial bus asks one joint after the other; all get one time")
def polled(c, size, j, log):
    d = [.012, .025, .05][size]
    for k in range(c.robot.n):
        t = log["t"] + d * k
        q, v, _ = c.sim.motion(t)
        log["q"][:, k], log["dq"][:, k], log["tau"][:, k] = q[:, k], v[:, k], c.sim.torque(t)[:, k]
    return log


@kind("spring", True, "static", ["unexplained"], ["robot-mismatch"], note="a counterbalance spring or a stiff hose whose torque bends with the position")
def spring(c, size, j, log):
    a = c.robot.spec["amp"][j]
    x = (log["q"][:, j] - c.robot.spec["home"][j]) / a
    log["tau"][:, j] += [.2, .45, 1.][size] * c.sim.scale[j] * (x + .6 * x**3)
    return log


@kind("weak-field", True, "static", ["unexplained"], note="above a speed the voltage ends: the drive logs what it wants, the motor gives less")
def weak(c, size, j, log):
    v = np.abs(log["dq"][:, j])
    v0 = .45 * v.max()
    log["tau"][:, j] *= 1 + [.35, .8, 1.6][size] * np.maximum(0, v / v0 - 1)
    return log


@kind("iron-saturates", True, "static", ["unexplained"], note="torque per current falls at high current: the log, with one gain, is too large there")
def iron(c, size, j, log):
    x = log["tau"][:, j] / c.sim.scale[j]
    log["tau"][:, j] *= 1 + [.05, .12, .25][size] * x**2
    return log


@kind("dead-zone", True, "static", ["unexplained"], ["dropout"], note="an amplifier gives 0 for small signals of the torque")
def deadzone(c, size, j, log):
    z = [.3, .6, .9][size] * c.sim.scale[j]
    x = log["tau"][:, j]
    log["tau"][:, j] = np.sign(x) * np.maximum(np.abs(x) - z, 0)
    return log


@kind("eccentric-ring", True, "static", ["unexplained"], note="the encoder's ring is mounted off its axis: one sine a turn on the position")
def ring(c, size, j, log):
    p = c.r.uniform(0, 2 * np.pi)
    if c.robot.prismatic[j]:
        w, A = 2 * np.pi / .05, [.0008, .002, .004][size]
    else:
        w, A = 1., [.04, .09, .18][size]
    x = log["q"][:, j]
    log["dq"][:, j] *= 1 + A * w * np.cos(w * x + p)
    log["q"][:, j] = x + A * np.sin(w * x + p)
    return log


@kind("dead-bit", True, "either", ["unexplained"], ["quantised"], after=True, note="one wire of a parallel encoder is broken: one bit is always 0")
def bit(c, size, j, log):
    count = c.robot.spec["count"][j]
    span = np.ptp(log["q"][:, j]) / count
    b = int(np.log2(span)) - [4, 3, 2][size]
    k = np.round(log["q"][:, j] / count).astype(np.int64)
    log["q"][:, j] = (k & ~(1 << b)) * count
    return log


@kind("word-overflow", True, "either", ["unexplained"], ["wrapped", "spike", "sign"], after=True, note="the torque's word is too short: above its end it comes in at the other")
def overflow(c, size, j, log):
    x = log["tau"][:, j]
    top = np.quantile(np.abs(x), [.995, .97, .9][size])
    log["tau"][:, j] = (x + top) % (2 * top) - top
    return log


@kind("brake-drags", True, "in-time", ["unexplained"], ["contact", "drift"], note="the holding brake does not open wholly for some seconds")
def brake(c, size, j, log):
    parts = stretches(c.r, log["t"][-1], 2, 3.)
    on = sum(soft(log["t"], a, b) for a, b in parts)
    log["tau"][:, j] += [.35, .7, 1.4][size] * c.sim.scale[j] * on * np.tanh(log["dq"][:, j] / c.robot.slow[j])
    return log


@kind("base-tips", True, "in-time", ["unexplained"], ["base-moves", "gravity"], joints="none", note="a foot of the stand gives way in the middle of the run: gravity tilts")
def tips(c, size, j, log):
    at = c.r.uniform(.4, .65) * log["t"][-1]
    angle, way = np.radians([5, 10, 18][size]), c.r.uniform(0, 2 * np.pi)
    m = pin.Model(c.robot.real)
    m.gravity.linear = 9.81 * np.array([np.sin(angle) * np.cos(way), np.sin(angle) * np.sin(way), -np.cos(angle)])
    share = .5 + .5 * np.tanh((log["t"] - at) / .1)[:, None]
    log["tau"] += share * (c.sim.torque(log["t"], m) - c.sim.torque(log["t"]))
    return log


@kind("coupling-slips", True, "in-time", ["unexplained"], note="the clamp of the encoder slips on its shaft: the zero steps, without a jump of the motion")
def slips(c, size, j, log):
    A = [.15, .3, .5][size] * c.robot.spec["amp"][j]
    at = c.r.uniform(.35, .65) * log["t"][-1]
    w = .15
    log["q"][:, j] += A * (.5 + .5 * np.tanh((log["t"] - at) / w))
    log["dq"][:, j] += A * .5 / w / np.cosh((log["t"] - at) / w)**2
    return log


@kind("two-clocks", True, "in-time", ["unexplained"], ["recorder-offset"], joints="none", note="torques and positions come from two computers whose clocks go at different rates")
def clocks(c, size, j, log):
    log["tau"] = c.sim.torque(log["t"] * (1 + [.003, .008, .02][size]))
    return log


@kind("filled-lines", True, "in-time", ["unexplained"], ["dropout", "clock-gap", "time-jump", "stuck"], joints="none", after=True,
      note="the exporter fills lost packets with straight lines")
def lines(c, size, j, log):
    for a, b in stretches(c.r, log["t"][-1], 4, [.35, .7, 1.2][size]):
        i, k = np.searchsorted(log["t"], [a, b])
        u = np.linspace(0, 1, k - i)[:, None]
        for x in ("q", "dq", "tau"):
            log[x][i:k] = log[x][i] * (1 - u) + log[x][k] * u
    return log


@kind("bridge-crosstalk", True, "static", ["unexplained"], ["coupling"], joints="two", note="strain gauges of one joint feel the torque of the next")
def crosstalk(c, size, j, log):
    k = j + 1 if j + 1 < c.robot.n else j - 1
    log["tau"][:, j] += [.12, .3, .6][size] * c.sim.scale[j] / c.sim.scale[k] * log["tau"][:, k]
    return log


@kind("names-change", True, "in-time", ["unexplained"], ["joint-order"], joints="two", after=True,
      note="a node starts again in the run, and two joints change places in the message")
def names(c, size, j, log):
    k = j + 1 if j + 1 < c.robot.n else j - 1
    on = log["t"] > [.85, .7, .5][size] * log["t"][-1]
    log["tau"][on, j], log["tau"][on, k] = log["tau"][on, k].copy(), log["tau"][on, j].copy()
    return log


@kind("no-sign", True, "static", ["unexplained"], ["asymmetry", "sign"], after=True, note="the inverter gives the amount of the current without its sign (sizes: above a share of the range)")
def nosign(c, size, j, log):
    x = log["tau"][:, j]
    log["tau"][:, j] = np.where(x < -[1.6, .8, 0][size] * c.sim.scale[j], -x, x)
    return log


@kind("slew-limit", True, "either", ["unexplained"], ["smoothed", "lag-torque"], note="the torque signal cannot change faster than a rate")
def slew(c, size, j, log):
    x = log["tau"][:, j]
    step = [5., 2.5, 1.2][size] * c.sim.scale[j] * (log["t"][1] - log["t"][0])
    y = x.copy()
    for i in range(1, len(y)):
        y[i] = y[i - 1] + np.clip(x[i] - y[i - 1], -step, step)
    log["tau"][:, j] = y
    return log


@kind("buffer-again", True, "in-time", ["unexplained"], ["time-jump", "dropout"], after=True, note="a ring buffer gives an old stretch of one torque once more")
def again(c, size, j, log):
    for a, b in stretches(c.r, log["t"][-1], 3, [.4, .9, 1.8][size]):
        i, k = np.searchsorted(log["t"], [a, b])
        log["tau"][i:k, j] = log["tau"][max(0, 2 * i - k):max(0, 2 * i - k) + k - i, j].copy()
    return log


@kind("loose-load", True, "in-time", ["unexplained"], ["contact", "payload"], joints="none",
      note="a part in the gripper works loose: at times its mass hangs beside and swings")
def loose(c, size, j, log):
    t = log["t"]
    q, v, a = c.sim.motion(t)
    m, d = c.robot.real, c.robot.real.createData()
    M = [.6, 1.4, 3.][size] * m.inertias[m.njoints - 1].mass
    on = sum(soft(t, x, y) for x, y in stretches(c.r, t[-1], 2, 4.))
    w, p = 2 * np.pi * 1.3, c.r.uniform(0, 6, 2)
    for i in range(len(t)):
        if on[i] > 1e-6:
            J = pin.computeJointJacobian(m, d, q[i], c.robot.n)
            F = M * np.array([3 * np.sin(w * t[i] + p[0]), 3 * np.sin(w * t[i] + p[1]), -9.81])
            R, P = d.oMi[c.robot.n].rotation, np.array([.05, .03, .06])
            f = R.T @ F
            log["tau"][i] -= on[i] * (J.T @ np.concatenate([f, np.cross(P, f)]))
    return log


# ---- kinds of the list, made anew ------------------------------------------------------------------

@kind("torque-scale", False, "static", ["gear-ratio"], ["units", "current-as-torque"], note="the gain of one drive is wrong")
def scale(c, size, j, log):
    log["tau"][:, j] *= [1.35, 1.9, .4][size]
    return log


@kind("wrong-sign", False, "static", ["sign"], note="sizes: a torque, a position with its velocity, all torques but one")
def sign(c, size, j, log):
    if size == 0:
        log["tau"][:, j] *= -1
    elif size == 1:
        log["q"][:, j] *= -1
        log["dq"][:, j] *= -1
    else:
        keep = log["tau"][:, j].copy()
        log["tau"] *= -1
        log["tau"][:, j] = keep
    return log


@kind("wrong-zero", False, "static", ["offset"], note="the joint was referenced at the wrong mark")
def zero(c, size, j, log):
    log["q"][:, j] += [.12, .3, -.7][size] * (1 if not c.robot.prismatic[j] else .3)
    return log


@kind("joint-order", False, "static", ["joint-order"], joints="none", after=True, note="sizes: torques of two joints, of three in a ring, all in the other order")
def order(c, size, j, log):
    k = list(range(c.robot.n))
    if size == 0:
        i = j if j + 1 < c.robot.n else j - 1
        k[i], k[i + 1] = k[i + 1], k[i]
    elif size == 1:
        k[-3:] = [k[-2], k[-1], k[-3]]
    else:
        k = k[::-1]
    log["tau"] = log["tau"][:, k]
    return log


@kind("recorder-late", False, "static", ["recorder-offset", "lag-torque"], joints="none", note="the torques' recorder started later or earlier")
def late(c, size, j, log):
    log["tau"] = c.sim.torque(log["t"] + [-.03, .06, -.15][size])
    return log


@kind("warms-up", False, "in-time", ["drift"], ["contact"], note="the zero of a torque creeps, and its gear rubs less with time")
def warm(c, size, j, log):
    f = 1 - np.exp(-log["t"] / 9)
    log["tau"][:, j] += [.25, .5, 1.][size] * c.sim.scale[j] * (f - .6 * (1 - f) * np.tanh(log["dq"][:, j] / c.robot.slow[j]))
    return log


@kind("pushed", False, "in-time", ["contact"], ["payload", "drift"], joints="none", note="somebody pushes at the last link, three times")
def pushed(c, size, j, log):
    t = log["t"]
    q, _, _ = c.sim.motion(t)
    m, d = c.robot.real, c.robot.real.createData()
    for a, b in stretches(c.r, t[-1], 3, 1.2):
        F = c.r.normal(size=3)
        F *= [20, 50, 120][size] / np.linalg.norm(F)
        for i in np.flatnonzero((t > a) & (t < b)):
            J = pin.computeJointJacobian(m, d, q[i], c.robot.n)
            f = d.oMi[c.robot.n].rotation.T @ F * np.sin(np.pi * (t[i] - a) / (b - a))**2
            log["tau"][i] -= J.T @ np.concatenate([f, np.cross([.06, .03, .08], f)])
    return log


@kind("picked-up", False, "in-time", ["payload"], ["contact"], joints="none", note="the gripper takes a part and puts it down again")
def picked(c, size, j, log):
    t, m = log["t"], pin.Model(c.robot.real)
    k = m.njoints - 1
    M = [.7, 1.6, 4.][size] * m.inertias[k].mass
    m.inertias[k] = m.inertias[k] + pin.Inertia(M, np.array([.07, -.04, .1]), np.diag([.003, .004, .003]) * M)
    on = soft(t, .3 * t[-1], .75 * t[-1], .04)[:, None]
    log["tau"] += on * (c.sim.torque(t, m) - c.sim.torque(t))
    return log


@kind("two-gains", False, "static", ["asymmetry"], ["saturated"], note="the amplifier has another gain for negative currents")
def twogains(c, size, j, log):
    x = log["tau"][:, j]
    log["tau"][:, j] = np.where(x < 0, [.8, .6, .3][size], 1) * x
    return log


@kind("taken-out", False, "static", ["torque-kind"], joints="none", note="sizes: the driver took gravity out, friction, both")
def taken(c, size, j, log):
    t = log["t"]
    q, v, _ = c.sim.motion(t)
    if size != 1:
        log["tau"] -= bodies_gravity(c, q)
    if size != 0:
        log["tau"] -= .92 * c.sim.rub(v)
    return log


def bodies_gravity(c, q):
    m, d = c.robot.file, c.robot.file.createData()
    return np.array([pin.computeGeneralizedGravity(m, d, x) for x in q])


@kind("lost-packets", False, "in-time", ["time-jump"], ["dropout", "clock-gap", "clock-rate"], joints="none", after=True, note="packets were lost and the time was made up from the rate")
def lost(c, size, j, log):
    gone = inside(log["t"], stretches(c.r, log["t"][-1], [2, 4, 7][size], [.12, .25, .4][size]))
    t = log["t"]
    for x in ("q", "dq", "tau"):
        log[x] = log[x][~gone]
    log["t"] = t[:len(log["q"])]
    return log


@kind("motor-side", False, "static", ["elastic"], ["resonance"], note="the encoder is on the motor, and the gear between gives")
def motor(c, size, j, log):
    k = c.sim.scale[j] / ([.02, .05, .12][size] * c.robot.spec["amp"][j])
    x = log["tau"][:, j] / k
    log["q"][:, j] += x
    log["dq"][:, j] += np.gradient(x, log["t"])
    return log
