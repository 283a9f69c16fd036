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
standard = None
if job.truth:
    standard = np.concatenate([*(model.inertias[i + 1].toDynamicParameters() for i in range(model.nv)), job.friction.reshape(-1)])
least_squares.solve(job, regressor, standard)
