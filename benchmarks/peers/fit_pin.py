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
    return np.array([pin.computeJointTorqueRegressor(model, data, *x).reshape(model.nv, -1).copy() for x in zip(q, dq, ddq)])


# user ends


def torques(q, dq, ddq):
    return np.array([pin.rnea(model, data, *x).copy() for x in zip(q, dq, ddq)])


least_squares.solve(job, regressor, torques)
