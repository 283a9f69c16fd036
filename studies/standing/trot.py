"""An unseen trot of the robots of sway.py in MuJoCo: torques by the truth, by the robot file, and by fits, beside each other.

trot.py MODEL FOLDER SEED [--seconds 12] [--speed 0.25] [NAME=FIT.xml ...]

SEED is that of sway.py, which draws the bodies. FIT.xml is what "ident export FIT.ident --to mjcf" writes. The states, accelerations and
torques are the simulator's own. Of each sample the combinations of equations count in which no contact force appears, those of joints at
rest left out; errors are per cent of the torques in them.
"""
import argparse
import numpy as np, mujoco
import sway

STRIDE, DUTY, HEIGHT = .5, .6, .06   # s of a stride, its part on the ground, height of a swing, m


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('model'), p.add_argument('folder'), p.add_argument('seed', type=int), p.add_argument('fits', nargs='*')
    for name, value in (('seconds', 12.), ('speed', .25), ('load', 0.), ('mu', 1.), ('size', 1.)):
        p.add_argument('--' + name, type=float, default=value)
    p.add_argument('--lift', action='store_true')
    return p.parse_args()


class Trot:
    """Feet that swing in diagonal pairs to places ahead, and a spring and damper that hold the base over those that stand."""

    def __init__(self, m, o):
        start = sway.Sway(m, o, np.random.default_rng(0))
        self.m, self.o, self.feet, self.legs = m, o, start.feet, start.legs
        self.k, self.start = start.d, start.d.qpos.copy()
        mujoco.mj_kinematics(m, self.k)
        self.radius = m.geom_size[self.feet[0]][0]
        self.home = np.array([self.k.geom_xpos[g] - self.start[:3] for g in self.feet])
        self.place = np.array([self.k.geom_xpos[g] for g in self.feet])   # where each foot stands, or swings from
        self.swings = [False] * len(self.feet)

    def share(self, t, k):
        """The part of its load that foot k takes, and how far it has swung."""
        phase = ((t - 1) / STRIDE + (.5 if k in (1, 2) else 0)) % 1
        if t < 1 or phase < DUTY:
            edge = min(phase, DUTY - phase) * STRIDE / .04 if t >= 1 else 1
            return np.clip(edge, .05, 1), None
        return 0., (phase - DUTY) / (1 - DUTY)

    def torque(self, t, d):
        m, k = self.m, self.k
        ahead = self.o.speed * max(0, t - 1.5)
        speed = np.array([self.o.speed if t > 1.5 else 0, 0, 0])
        turn = d.xmat[1].reshape(3, 3)
        lean = np.array([turn[2, 1], -turn[2, 0], np.arctan2(turn[1, 0], turn[0, 0])])   # roll, pitch, yaw
        off = self.start[:3] + [ahead, 0, 0] - d.qpos[:3]
        wrench = np.concatenate([np.array([150, 150, 800]) * off + np.array([80, 80, 80]) * (speed - d.qvel[:3]),
                                 -np.array([120, 120, 60]) * lean - np.array([8, 8, 5]) * d.qvel[3:6]])
        shares, targets = [], []
        for i in range(len(self.feet)):
            share, swung = self.share(t, i)
            shares.append(share)
            if swung is None:
                if self.swings[i]:
                    self.place[i] = [*d.geom_xpos[self.feet[i]][:2], self.radius]
                self.swings[i] = False
                targets.append(self.place[i])
                continue
            self.swings[i] = True
            to = d.qpos[:3] + self.home[i] + d.qvel[:3] * DUTY * STRIDE / 2 + .1 * (d.qvel[:3] - speed)
            s = (1 - np.cos(np.pi * min(1, swung / .9))) / 2
            at = self.place[i] + s * (to - self.place[i])
            targets.append(np.array([*at[:2], self.radius + HEIGHT * np.sin(np.pi * min(1, swung / .9)) ** 2]))
        # Joints that bring the feet to their targets, by two steps of Newton.
        k.qpos[:7] = d.qpos[:7]
        for _ in range(2):
            mujoco.mj_kinematics(m, k), mujoco.mj_comPos(m, k)
            for i, g in enumerate(self.feet):
                j = np.zeros((3, m.nv))
                mujoco.mj_jac(m, k, j, None, k.geom_xpos[g], m.geom_bodyid[g])
                leg = self.legs[i]
                k.qpos[leg + 1] += np.clip(np.linalg.solve(j[:, leg] + 1e-6 * np.eye(3), targets[i] - k.geom_xpos[g]), -.2, .2)
        h = np.zeros(m.nv)
        mujoco.mj_rne(m, d, 0, h)
        h[:6] += wrench
        rows = []
        for g in self.feet:
            j = np.zeros((3, m.nv))
            mujoco.mj_jac(m, d, j, None, d.geom_xpos[g] - [0, 0, self.radius], m.geom_bodyid[g])
            rows.append(j)
        j = np.vstack(rows) * np.repeat(shares, 3)[:, None]
        tau = (h - j.T @ np.linalg.lstsq(j[:, :6].T, h[:6], rcond=1e-3)[0])[6:]
        gain = np.repeat([20. if s else 60. for s in shares], 3)
        order = np.concatenate(self.legs) - 6
        for at, g in zip(order, gain):
            tau[at] += g * (k.qpos[7 + at] - d.qpos[7 + at]) - .03 * g * d.qvel[6 + at]
        return tau


def torques(m, d, q):
    """Forces and torques that the motion of d needs of a model, without contact: base and joints."""
    e, out = mujoco.MjData(m), np.zeros(m.nv)
    e.qpos[:], e.qvel[:], e.qacc[:] = d.qpos, d.qvel, q
    mujoco.mj_kinematics(m, e), mujoco.mj_comPos(m, e), mujoco.mj_comVel(m, e)
    mujoco.mj_rne(m, e, 1, out)
    return out + m.dof_armature * q + np.array(m.dof_damping).reshape(m.nv, -1)[:, 0] * d.qvel + m.dof_frictionloss * np.sign(d.qvel)


def main():
    o = options()
    text = sway.plain(o.model)
    m, _ = sway.build(text, o, np.random.default_rng([o.seed, 1]))
    d, trot = mujoco.MjData(m), Trot(m, o)
    d.qpos[:] = trot.start
    models = {'file': mujoco.MjModel.from_xml_string(text), **{f.split('=')[0]: mujoco.MjModel.from_xml_path(f.split('=')[1]) for f in o.fits}, 'truth': m}
    left, whole = {n: [] for n in models}, []
    for i in range(int(o.seconds / sway.STEP)):
        t = i * sway.STEP
        mujoco.mj_forward(m, d)
        if i % sway.HOLD == 0:
            d.qfrc_applied[6:] = trot.torque(t, d)
            mujoco.mj_forward(m, d)
            if t > 2.5 and i % (5 * sway.HOLD) == 0:
                jacobian = []
                for c in d.contact:
                    body = m.geom_bodyid[max(c.geom1, c.geom2, key=lambda g: m.geom_bodyid[g])]
                    j = np.zeros((3, m.nv))
                    mujoco.mj_jac(m, d, j, None, c.pos, body)
                    jacobian.append(j)
                rest = [np.eye(m.nv)[6 + k] for k in range(m.nv - 6) if abs(d.qvel[6 + k]) < .02]
                a = np.vstack([np.zeros((0, m.nv)), *jacobian, *rest])
                _, s, v = np.linalg.svd(a) if len(a) else (0, np.zeros(0), np.eye(m.nv))
                basis = v[int((s > 1e-9).sum()):]
                given = np.concatenate([np.zeros(6), d.qfrc_applied[6:]])
                whole.append(basis @ given)
                for n, of in models.items():
                    left[n].append(basis @ (torques(of, d, d.qacc) - given))
        mujoco.mj_step(m, d)
        if d.qpos[2] < .15:
            raise SystemExit(f'the robot fell after {t:.2f} s')
    norm = lambda x: np.sqrt(sum((v ** 2).sum() for v in x))
    print(f'seed {o.seed}: {o.seconds:g} s of trot, {d.qpos[0] - trot.start[0]:.2f} m, {len(whole)} samples, {np.mean([len(v) for v in whole]):.1f} combinations each')
    for n in models:
        print(f'{n:8s} {100 * norm(left[n]) / norm(whole):.2f} %')


main()
