"""Kinds of the third round: what goes wrong in laboratories, most of it in no table of causes."""
import numpy as np

import lab


def late(t, x, by):
    """late returns x as it was by seconds ago; by may differ by row."""
    return np.stack([np.interp(t - by, t, c) for c in x.T], 1)


class Run:
    """Run is one log in the making."""

    def __init__(self, name, seed, style="waves"):
        self.rng = np.random.default_rng(seed)
        self.arm = lab.Arm(name)
        self.n = self.arm.n
        self.t, self.q, self.dq, self.ddq = lab.motion(self.n, seed, style)
        self.rate = 1 / (self.t[1] - self.t[0])
        self.start = self.t[-1] * self.rng.uniform(0.3, 0.7)
        self.after = lambda t: t  # what a channel does to torques with noise

    def body(self, g=None):
        return self.arm.torque(self.q, self.dq, self.ddq, g)

    def sound(self):
        return self.q.copy(), self.body() + self.arm.rub(self.dq)

    def walk(self, width):
        """walk returns a slow random curve between 0 and 1 with knots every width seconds."""
        k = np.arange(0, self.t[-1] + 2 * width, width)
        return np.interp(self.t, k, self.rng.uniform(0, 1, len(k)))


top = lambda x: np.abs(x).max()


def soft_torque(r, s, j):  # a torque that saturates softly
    q, u = r.sound(); m = s * top(u[:, j]); u[:, j] = m * np.tanh(u[:, j] / m); return q, u


def play(r, s, j):  # motor-side positions of a gear with play
    q, u = r.sound(); z = q[:, j].copy()
    for k in range(1, len(z)):
        z[k] = min(max(z[k - 1], q[k, j] - s), q[k, j] + s)
    q[:, j] = 2 * q[:, j] - z; return q, u


def heat(r, s, j):  # friction falls with the heat of its own work
    q, u = r.sound(); f = r.arm.rub(r.dq); h = np.cumsum(np.abs(f * r.dq), 0); h /= h[-1]
    return q, u + f * s * (1 - h)


def belt_slips(r, s, j):  # a belt creeps where the torque is large: motor-side positions go away
    q, u = r.sound(); over = np.maximum(np.abs(u[:, j]) / top(u[:, j]) - 0.5, 0) * np.sign(u[:, j])
    x = np.cumsum(over); q[:, j] += s * x / top(x); return q, u


def missing_code(r, s, j):  # a track of the encoder's disk is dirty: one bit is always 0
    q, u = r.sound(); n = np.round(q[:, j] / lab.STEP).astype(int) + 2**20
    q[:, j] = ((n & ~(1 << int(s))) - 2**20) * lab.STEP; return q, u


def bus_delay(r, s, j):  # the delay of all torques wanders
    q, u = r.sound(); return q, late(r.t, u, s * r.walk(1.5))


def gain_midway(r, s, j):  # the drive's current range is switched, its scale is not
    q, u = r.sound(); u[:, j] *= np.where(r.t > r.start, s, 1); return q, u


def cable_spring(r, s, j):  # a cable package pulls as a spring
    q, u = r.sound(); x = q[:, j] - np.median(q[:, j]) - 0.3; u[:, j] += s * u[:, j].std() * (x + 0.6 * x**3); return q, u


def phase(r, s, j):  # one phase measures less: torque by the electrical angle of a direct drive with four pairs of poles
    q, u = r.sound(); u[:, j] *= 1 + s * np.cos(8 * q[:, j] + 1.0); return q, u


def joint_couples(r, s, j):  # the reduction of a wrist moves with the joint before it, which nobody takes off
    q, u = r.sound(); q[:, j] += s * q[:, j - 1]; return q, u


def base_rocks(r, s, j):  # the base on wheels gives way under the moments of the arm
    u = r.body(); a = s * u[:, 1] / top(u[:, 1]); b = s * u[:, 0] / top(u[:, 0])
    g = 9.81 * np.stack([np.sin(a), np.sin(b), -np.sqrt(np.maximum(1 - np.sin(a)**2 - np.sin(b)**2, 0))], 1)
    return r.q.copy(), r.body(g) + r.arm.rub(r.dq)


def bursts(r, s, j):  # the logger holds the torques' last value in bursts
    q, u = r.sound(); k = 0
    while k < len(u):
        k += int(r.rng.uniform(10, 90)); m = int(s * r.rate * r.rng.uniform(0.5, 1.5)); u[k:k + m] = u[k:k + 1]; k += m
    return q, u


def filtered_twice(r, s, j):  # torques pass two low-passes, without phase
    q, u = r.sound(); return q, lab.smooth(u, s, r.rate, 2)


def overflow(r, s, j):  # an integer wraps at its largest value
    q, u = r.sound(); m = s * top(u[:, j])
    def end(x):
        x[:, j] = (x[:, j] + m) % (2 * m) - m; return x
    r.after = end; return q, u


def one_side(r, s, j):  # a sensor reaches its end on one side
    q, u = r.sound(); m = np.quantile(u[:, j], s)
    def end(x):
        x[:, j] = np.minimum(x[:, j], m); return x
    r.after = end; return q, u


def mass_moves(r, s, j):  # what the hand holds slides midway
    q, u = r.sound(); m = 0.12 * sum(x[3] for x in r.arm.joints)
    def at(z):
        def change(x):
            c, k = np.array(x[-1][4]), x[-1][3]; p = np.array([0.05, 0.02, 0.10]) + z * np.array([0.8, 0.3, 0.5])
            x[-1][4] = tuple((k * c + m * p) / (k + m)); x[-1][3] = k + m
        return lab.Arm(r.arm.name, change).torque(r.q, r.dq, r.ddq)
    w = (0.5 - 0.5 * np.cos(np.pi * np.clip((r.t - r.start) / 0.6, 0, 1)))[:, None]
    return q, at(0) * (1 - w) + at(s) * w + r.arm.rub(r.dq)


def inch_pounds(r, s, j):  # one torque in another unit
    q, u = r.sound(); u[:, j] *= s; return q, u


def part_gravity(r, s, j):  # a driver takes off a part of the gravity of the file, of one joint
    q, u = r.sound(); z = np.zeros_like(q); u[:, j] -= s * r.arm.torque(q, z, z)[:, j]; return q, u


def iron(r, s, j):  # the torque told from currents is more at speed
    q, u = r.sound(); u[:, j] *= 1 + s * np.abs(r.dq[:, j]) / top(r.dq[:, j]); return q, u


def deadband(r, s, j):  # small torques are told as nothing
    q, u = r.sound(); m = s * top(u[:, j])
    def end(x):
        x[:, j] = np.where(np.abs(x[:, j]) < m, 0, x[:, j]); return x
    r.after = end; return q, u


def bent_shaft(r, s, j):  # friction by position
    q, u = r.sound(); u[:, j] += s * r.arm.fc[j] * (1 + np.cos(q[:, j] * 2 + 0.5)) * np.tanh(r.dq[:, j] / 0.004); return q, u


def twist(r, s, j):  # positions before a soft gear
    q, u = r.sound(); q[:, j] += s * u[:, j] / top(u[:, j]); return q, u


def memory(r, s, j):  # a torque sensor with a hysteresis of its own
    q, u = r.sound(); w = s * top(u[:, j]); z = u[:, j].copy()
    for k in range(1, len(z)):
        z[k] = min(max(z[k - 1], u[k, j] - w), u[k, j] + w)
    u[:, j] = z; return q, u


def wander(r, s, j):  # the offset of a torque wanders
    q, u = r.sound(); u[:, j] += s * u[:, j].std() * (r.walk(4.0) * 2 - 1); return q, u


def leaned(r, s, j):  # somebody leans on the elbow for some seconds
    q, u = r.sound(); w = np.clip(1 - np.abs(r.t - r.start) / 2.5, 0, 1); w = w * w * (3 - 2 * w)
    u[:, 1] += s * top(u[:, 1]) * w * np.cos(q[:, 1]); u[:, 0] += 0.4 * s * top(u[:, 0]) * w; return q, u


def cross_talk(r, s, j):  # a sensor feels its neighbour
    q, u = r.sound(); k = (j + 1) % r.n; u[:, j] += s * u[:, k] * u[:, j].std() / u[:, k].std(); return q, u


def logger_stalls(r, s, j):  # the logger of the torques is late from some time on
    q, u = r.sound(); return q, late(r.t, u, np.where(r.t > r.start, s, 0.0))


def wheel_oval(r, s, j):  # an encoder off its centre, once a turn
    q, u = r.sound(); q[:, j] += s * np.sin(q[:, j] + 0.8); return q, u


def magnet(r, s, j):  # the torque constant falls with the current
    q, u = r.sound(); x = u[:, j] / top(u[:, j]); u[:, j] *= 1 + s * x * x; return q, u


def brake_drags(r, s, j):  # a brake drags for some seconds
    q, u = r.sound(); w = (np.abs(r.t - r.start) < 3.5) * 1.0; u[:, j] += s * u[:, j].std() * w * np.tanh(r.dq[:, j] / 0.004); return q, u


def rest_rows(r, s, j):  # every other second the torque is that of a model, not of the sensor: without friction
    q, u = r.sound(); w = (np.sin(np.pi * r.t / s) > 0)[:, None]; return q, u - w * r.arm.rub(r.dq)


LATE = ["recorder-offset", "lag-torque", "smoothed", "clock-jitter", "held", "time-jump", "clock-rate"]
# Kind: program, sizes, joints, right names, names with the same remedy, what an unexplained excess may follow ("" either).
KINDS = {
    "soft_torque": (soft_torque, (0.7, 0.45), (1, 2), ["saturated"], ["asymmetry"], "static"),
    "play": (play, (0.02, 0.05), (1, 2), ["backlash"], ["elastic", "offset", "lag-torque"], "static"),
    "heat": (heat, (0.8, 2.0), (0,), ["drift"], ["friction-memory"], "in-time"),
    "belt_slips": (belt_slips, (0.15, 0.4), (1, 2), ["offset"], ["drift"], "in-time"),
    "missing_code": (missing_code, (14, 15), (1, 2), ["offset", "stuck", "wrapped", "quantised"], ["geometry", "spike"], "static"),
    "bus_delay": (bus_delay, (0.06, 0.15), (0,), ["lag-torque", "recorder-offset", "clock-jitter"], LATE, ""),
    "gain_midway": (gain_midway, (0.75, 0.5), (1, 2), ["gear-ratio"], ["payload", "drift", "contact"], "in-time"),
    "cable_spring": (cable_spring, (0.2, 0.5), (0, 3), ["contact", "spring", "robot-mismatch"], [], "static"),
    "phase": (phase, (0.25, 0.5), (1, 2), [], ["gear-ratio", "contact"], "static"),
    "joint_couples": (joint_couples, (0.05, 0.2), (4, 3), ["coupling"], ["geometry"], "static"),
    "base_rocks": (base_rocks, (0.05, 0.15), (0,), ["gravity"], ["geometry", "elastic"], "static"),
    "bursts": (bursts, (0.15, 0.4), (0,), ["held", "dropout", "stuck", "lost-frames"], LATE, ""),
    "filtered_twice": (filtered_twice, (1.2, 0.6), (0,), ["smoothed"], LATE, "static"),
    "overflow": (overflow, (0.8, 0.5), (1, 2), ["wrapped", "spike"], ["saturated", "units"], ""),
    "one_side": (one_side, (0.9, 0.7), (1, 2), ["saturated"], ["asymmetry"], ""),
    "mass_moves": (mass_moves, (0.15, 0.4), (0,), ["payload"], ["contact"], "in-time"),
    "inch_pounds": (inch_pounds, (0.113, 8.85), (1, 2), ["gear-ratio", "units"], ["current-as-torque"], "static"),
    "part_gravity": (part_gravity, (0.25, 0.6), (1, 2), ["torque-kind", "gravity"], ["gear-ratio"], "static"),
    "iron": (iron, (0.3, 0.7), (1, 2), [], ["gear-ratio", "current-as-torque"], "static"),
    "deadband": (deadband, (0.15, 0.35), (1, 2), ["dropout", "stuck"], ["quantised"], "static"),
    "bent_shaft": (bent_shaft, (0.8, 2.0), (1, 0), [], ["contact"], "static"),
    "twist": (twist, (0.03, 0.08), (1, 2), ["elastic", "resonance"], ["command-as-measured"], "static"),
    "memory": (memory, (0.06, 0.15), (1, 2), ["friction-memory", "backlash"], ["smoothed", "lag-torque"], ""),
    "wander": (wander, (0.3, 0.8), (1, 2), ["drift"], ["contact", "payload"], "in-time"),
    "leaned": (leaned, (0.2, 0.6), (0,), ["contact"], ["payload"], "in-time"),
    "cross_talk": (cross_talk, (0.15, 0.4), (1, 2), ["coupling"], ["gear-ratio"], "static"),
    "logger_stalls": (logger_stalls, (0.08, 0.2), (0,), ["recorder-offset", "time-jump", "lag-torque"], LATE, "in-time"),
    "wheel_oval": (wheel_oval, (0.05, 0.15), (1, 2), ["geometry", "offset"], ["gear-ratio"], "static"),
    "magnet": (magnet, (-0.25, 0.5), (1, 2), ["saturated", "current-as-torque"], ["gear-ratio", "asymmetry"], "static"),
    "brake_drags": (brake_drags, (0.5, 1.2), (1, 2), ["contact", "drift"], [], "in-time"),
    "rest_rows": (rest_rows, (1.0, 3.0), (0,), ["torque-kind"], ["drift"], "in-time"),
}
