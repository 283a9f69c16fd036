"""Kinds of faults of the second outsider's round, each a change of what happened or of what was logged."""
import numpy as np

import lab

GRAVITY = np.array([0.0, 0.0, -9.81])


def late(t, x, by):
    """late returns x as it was by seconds earlier; by may be an array."""
    return np.column_stack([np.interp(t - by, t, c) for c in x.T])


def pole(x, cut, rate):
    """pole returns x behind a causal low-pass of one pole."""
    a = 1 - np.exp(-2 * np.pi * cut / rate)
    y = x.copy()
    for k in range(1, len(x)):
        y[k] = y[k - 1] + a * (x[k] - y[k - 1])
    return y


class Run:
    """Run is one log in the making: a true arm, its true motion, and what the logger makes of it."""

    def __init__(self, name, seed, axis=None):
        self.name, self.rng = name, np.random.default_rng(seed)
        self.arm = lab.Arm(name, axis)
        self.n = self.arm.n
        self.t, self.q, self.dq, self.ddq = lab.motion(self.n, seed)
        self.g, self.fc, self.fv = None, self.arm.fc, self.arm.fv
        self.start = lab.SECONDS * self.rng.uniform(0.35, 0.65)

    def after(self, width=0.0):
        """after returns 0 before the run's event and 1 after it, smooth over width."""
        if not width:
            return (self.t >= self.start) * 1.0
        return 0.5 - 0.5 * np.cos(np.pi * np.clip((self.t - self.start) / width, 0, 1))

    def body(self):
        """body returns the torques of the bodies and rotors of the true motion."""
        return self.arm.torque(self.q, self.dq, self.ddq, self.g)

    def rub(self):
        """rub returns the friction of the true motion."""
        return lab.friction(self.dq, self.fc, self.fv)

    def sound(self):
        """sound returns the true positions and torques of a run without a fault."""
        return self.q, self.body() + self.rub()


def top(x):
    return np.abs(x).max()


def rms(x):
    return np.sqrt(np.mean((x - x.mean())**2))


# Ten and four classics.

def lag_one(r, s, j):
    q, u = r.sound()
    u[:, [j]] = late(r.t, u[:, [j]], s)
    return r.t, q, u


def lag_all(r, s, j):
    q, u = r.sound()
    return r.t, q, late(r.t, u, s)


def flipped(r, s, j):
    q, u = r.sound()
    u[:, j] *= -1
    return r.t, q, u


def swapped(r, s, j):
    q, u = r.sound()
    u[:, [j, j + 1]] = u[:, [j + 1, j]]
    return r.t, q, u


def zero(r, s, j):
    q, u = r.sound()
    q = q.copy()
    q[:, j] += s
    return r.t, q, u


def torque_ratio(r, s, j):
    q, u = r.sound()
    u[:, j] *= s
    return r.t, q, u


def position_ratio(r, s, j):
    q, u = r.sound()
    q = q.copy()
    q[:, j] *= s
    return r.t, q, u


def grasped(r, s, j):
    q, u = r.sound()
    heavy = lab.Arm(r.name, tip=s).torque(q, r.dq, r.ddq) + r.rub()
    w = r.after(0.2)[:, None]
    return r.t, q, u * (1 - w) + heavy * w


def leaning(r, s, j):
    a, at = np.radians(s), r.rng.uniform(0, 2 * np.pi)
    r.g = np.tile(-GRAVITY[2] * np.array([np.sin(a) * np.cos(at), np.sin(a) * np.sin(at), -np.cos(a)]), (len(r.t), 1))
    q, u = r.sound()
    return r.t, q, u


def wrong_clock(r, s, j):
    q, u = r.sound()
    return r.t * s, q, u


def limited(r, s, j):
    q, u = r.sound()
    m = s * top(u[:, j])
    r.clip = (j, m)
    return r.t, q, u


def shared_wrist(r, s, j):
    a, b = r.n - 2, r.n - 1
    u = r.body() + r.rub()
    f = lab.friction(r.dq[:, b], r.fc[b], r.fv[b]) + r.arm.ia[b] * r.ddq[:, b]
    both = s * lab.friction(r.dq[:, a] + r.dq[:, b], r.fc[b], r.fv[b]) + r.arm.ia[b] * (r.ddq[:, a] + r.ddq[:, b])
    u[:, b] += both - f
    u[:, a] += both
    return r.t, r.q, u


def softened(r, s, j):
    q, u = r.sound()
    return r.t, q, pole(u, s, lab.RATE)


def warming(r, s, j):
    q, u = r.sound()
    return r.t, q, u + s * np.exp(-r.t / 8)[:, None] * r.rub()


# Thirteen that are new; expected.json cites where each was met.

def command_logged(r, s, j):
    q, u = r.sound()
    return r.t, q + s * u / np.abs(u).max(0), u


def silent_slip(r, s, j):
    told = r.q.copy()
    r.q = r.q.copy()
    w = r.after(0.4)
    r.q[:, j] += s * w
    r.dq = np.gradient(r.q, r.t, axis=0)
    r.ddq = np.gradient(r.dq, r.t, axis=0)
    return r.t, told, r.sound()[1]


def loaded_friction(r, s, j):
    b = r.body()
    return r.t, r.q, b + r.rub() + s * np.abs(b) * np.tanh(r.dq / 0.005)


def weak_magnet(r, s, j):
    q, u = r.sound()
    x = u[:, j] / top(u[:, j])
    u[:, j] *= 1 + s * x**2
    return r.t, q, u


def hose(r, s, j):
    q, u = r.sound()
    slack = q[:, j] - np.quantile(q[:, j], 0.4)
    u[:, j] += s * rms(u[:, j]) * np.maximum(slack, 0)
    return r.t, q, u


def oval_magnet(r, s, j):
    q, u = r.sound()
    q = q.copy()
    q[:, j] += s * np.sin(2 * q[:, j] + r.rng.uniform(0, 2 * np.pi))
    return r.t, q, u


def gas_spring(r, s, j):
    q, u = r.sound()
    a, b, x = 0.25, 0.40, q[:, 1] + 0.3
    f = a * b * np.sin(x) / np.sqrt(a * a + b * b - 2 * a * b * np.cos(x))
    u[:, 1] -= s * top(u[:, 1]) * f / top(f)
    return r.t, q, u


def busy_bus(r, s, j):
    q, u = r.sound()
    knots = r.rng.uniform(0, s, int(lab.SECONDS * 2) + 2)
    return r.t, q, late(r.t, u, np.interp(r.t, np.arange(len(knots)) / 2, knots))


def two_clocks(r, s, j):
    q, u = r.sound()
    return r.t, q, late(r.t, u, s * r.t)


def order_midway(r, s, j):
    q, u = r.sound()
    k = r.t >= s * lab.SECONDS
    u[np.ix_(k, [j, j + 1])] = u[np.ix_(k, [j + 1, j])]
    return r.t, q, u


def short_integer(r, s, j):
    q, u = r.sound()
    r.wrap = (j, s * top(u[:, j]))
    return r.t, q, u


def braked(r, s, j):
    r.q, r.dq, r.ddq, held = lab.pause(r.t, r.q, r.dq, r.ddq, j, min(r.start, lab.SECONDS - s - 3), s)
    q, u = r.sound()
    u[held, j] = 0
    return r.t, q, u


def retared(r, s, j):
    q, u = r.sound()
    u[:, j] += s * rms(u[:, j]) * r.after()
    return r.t, q, u


def crooked_axis(r, s, j):
    import bodies
    a = np.array(bodies.LETTER[bodies.CHAINS[r.name][j][1]], float)
    side = np.cross(a, r.rng.normal(size=3))
    side /= np.linalg.norm(side)
    axis = np.cos(np.radians(s)) * a + np.sin(np.radians(s)) * side
    r.arm = lab.Arm(r.name, {j: axis})
    q, u = r.sound()
    return r.t, q, u


# Kind: program, three sizes, joints that it may have (numbered from 0; negative from the end).
KINDS = {
    "lag_one": (lag_one, (0.02, 0.05, 0.12), (0, 1, 2)),
    "lag_all": (lag_all, (0.05, 0.15, 0.4), (None,)),
    "flipped": (flipped, (1, 1, 1), (1, 2, -2)),
    "swapped": (swapped, (1, 1, 1), (1, 2, -3)),
    "zero": (zero, (0.04, 0.12, 0.3), (1, 2, 3)),
    "torque_ratio": (torque_ratio, (0.9, 0.75, 0.5), (0, 1, 2)),
    "position_ratio": (position_ratio, (1.06, 1.2, 1.5), (1, 2, 3)),
    "grasped": (grasped, (0.4, 1.2, 3.0), (None,)),
    "leaning": (leaning, (3.0, 8.0, 20.0), (None,)),
    "wrong_clock": (wrong_clock, (1.1, 1.4, 0.5), (None,)),
    "limited": (limited, (0.8, 0.6, 0.4), (1, 2, 0)),
    "shared_wrist": (shared_wrist, (2.0, 4.0, 8.0), (None,)),
    "softened": (softened, (4.0, 2.0, 1.0), (None,)),
    "warming": (warming, (0.5, 1.0, 2.0), (None,)),
    "command_logged": (command_logged, (0.03, 0.07, 0.15), (None,)),
    "silent_slip": (silent_slip, (0.06, 0.15, 0.4), (1, 2, 3)),
    "loaded_friction": (loaded_friction, (0.06, 0.12, 0.25), (None,)),
    "weak_magnet": (weak_magnet, (0.15, 0.4, 1.0), (1, 2, 1)),
    "hose": (hose, (0.15, 0.4, 1.0), (0, 2, 3)),
    "oval_magnet": (oval_magnet, (0.03, 0.07, 0.15), (1, 2, 3)),
    "gas_spring": (gas_spring, (0.1, 0.25, 0.5), (None,)),
    "busy_bus": (busy_bus, (0.04, 0.1, 0.25), (None,)),
    "two_clocks": (two_clocks, (0.003, 0.008, 0.02), (None,)),
    "order_midway": (order_midway, (0.8, 0.5, 0.25), (1, 2, 0)),
    "short_integer": (short_integer, (0.9, 0.7, 0.5), (1, 2, 0)),
    "braked": (braked, (2.0, 4.0, 7.0), (1, 2, 1)),
    "retared": (retared, (0.15, 0.4, 1.0), (1, 2, 0)),
    "crooked_axis": (crooked_axis, (3.0, 8.0, 20.0), (1, 2, 3)),
}
# Sizes that stand for more harm when they are farther from one, and those that are more when smaller.
FROM_ONE = {"torque_ratio", "position_ratio", "wrong_clock"}
SMALLER = {"limited", "softened", "short_integer", "order_midway"}
FIXED = {"flipped", "swapped"}


def harder(kind, s):
    """harder returns the next size of a kind that was not harmful."""
    if kind in FROM_ONE:
        return 1 + (s - 1) * 1.5
    if kind in SMALLER:
        return s * 0.8
    return s if kind in FIXED else s * 1.6


def channels(r, kind, s, j):
    """channels returns time, logged positions, true torques, and what a limit of the channel does to them with noise."""
    t, q, u = KINDS[kind][0](r, s, j)

    def end(x):
        if hasattr(r, "clip"):
            k, m = r.clip
            x[:, k] = np.clip(x[:, k], -m, m)
        if hasattr(r, "wrap"):
            k, m = r.wrap
            x[:, k] = (x[:, k] + m) % (2 * m) - m
        return x

    return t, q, u, end
