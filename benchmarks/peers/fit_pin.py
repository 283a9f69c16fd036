"""Pinocchio's regressor with numpy's least squares."""

import least_squares
import trial

job = trial.Job()
# user begins
import numpy as np
import pinocchio as pin

model = pin.buildModelFromUrdf(job.urdf)
data = model.createData()


def regressor(q, dq, ddq):
    return np.array([pin.computeJointTorqueRegressor(model, data, *x).copy() for x in zip(q, dq, ddq)])


# user ends
inertial = np.concatenate([model.inertias[i + 1].toDynamicParameters() for i in range(model.nv)])
joints = np.stack([model.damping, model.friction, np.zeros(model.nv), np.zeros(model.nv)], axis=1).reshape(-1) if hasattr(model, "damping") else np.zeros(4 * model.nv)
least_squares.solve(job, regressor, np.concatenate([inertial, joints]) if job.truth else None)
