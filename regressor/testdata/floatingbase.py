"""Writes floatingbase.json: wrench on the base and torques of testrobot.Quadruped by Pinocchio's recursive Newton-Euler
algorithm, at random places, attitudes and speeds, beside what an inertial measurement unit at the base's origin would
measure. usage: floatingbase.py QUADRUPED.urdf"""
import json
import sys

import numpy as np
import pinocchio as pin

model = pin.buildModelFromUrdf(sys.argv[1])
data = model.createData()
rng = np.random.default_rng(64)
states = []
for _ in range(6):
    q = pin.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq))
    v, a = rng.standard_normal(model.nv), 3 * rng.standard_normal(model.nv)
    tau = pin.rnea(model, data, q, v, a)
    turn = pin.Quaternion(q[3:7]).normalized().toRotationMatrix()
    force = a[:3] + np.cross(v[3:6], v[:3]) - turn.T @ np.array([0, 0, -9.81])
    states.append({"rate": v[3:6].tolist(), "acceleration": a[3:6].tolist(), "force": force.tolist(), "q": q[7:].tolist(),
                   "dq": v[6:].tolist(), "ddq": a[6:].tolist(), "torque": tau.tolist()})
json.dump({"pinocchio": pin.__version__, "joints": list(model.names)[2:], "states": states}, open("floatingbase.json", "w"), indent=1)
