"""Pinocchio's regressor with cvxpy: joints weighted by their residuals, bodies that can exist, near those of the robot file.

The distance to the file's bodies is the metric of pseudo-inertias of Lee, Wensing and Park (2020), constant at the file's bodies, and so the
same in all units and frames. Its strength is the one of nine decades that predicts best what blocked folds leave out. A body that the
file lacks, or has such that it cannot exist, is drawn to zero with the scale of a ball of 1 kg.
"""

import rows
import trial

job = trial.Job()
# user begins
import cvxpy as cp
import least_squares
import numpy as np
import pinocchio as pin

model = pin.buildModelFromUrdf(job.urdf)
data, n = model.createData(), model.nv


def regressor(q, dq, ddq):
    return np.array([pin.computeJointTorqueRegressor(model, data, *x).reshape(n, -1).copy() for x in zip(q, dq, ddq)])


def factor(Y, tau, weights):
    W = np.column_stack([(Y * weights[:, None]).reshape(-1, Y.shape[2]), (tau * weights).reshape(-1)])
    return np.linalg.qr(np.vstack([W, np.zeros((W.shape[1], W.shape[1]))]), mode="r")


def pseudo(p):
    m, h, I = p[0], p[1:4], np.array([[p[4], p[5], p[7]], [p[5], p[6], p[8]], [p[7], p[8], p[9]]])
    return np.block([[np.trace(I) / 2 * np.eye(3) - I, h[:, None]], [h[None, :], np.array([[m]])]])


def problem(R):
    strength, distance, parts = cp.Parameter(nonneg=True), 0, []
    for body in model.inertias[1:]:
        P, file = cp.Variable((4, 4), PSD=True), pseudo(body.toDynamicParameters())
        known = np.linalg.eigvalsh(file)[0] > 1e-9
        L = np.linalg.inv(np.linalg.cholesky(file if known else np.diag([0.002, 0.002, 0.002, 1])))
        distance += cp.sum_squares(L @ (P - (file if known else 0 * file)) @ L.T)
        parts.append(cp.hstack([P[3, 3], P[0, 3], P[1, 3], P[2, 3], P[1, 1] + P[2, 2], -P[0, 1], P[0, 0] + P[2, 2], -P[0, 2], -P[1, 2], P[0, 0] + P[1, 1]]))
    joints = cp.Variable(R.shape[1] - 1 - 10 * n)
    limits = [joints[k : 4 * n : 4] >= 0 for k in (0, 1, 3)]
    x = cp.hstack([*parts, joints])
    return cp.Problem(cp.Minimize(cp.sum_squares(R[:, :-1] @ x - R[:, -1]) + strength * distance), limits), strength, x


def solved(task, value):
    whole, strength, x = task
    strength.value = value
    whole.solve(solver=cp.CLARABEL)
    return x.value


# user ends
runs = rows.of(job, regressor)
# user begins
Y, tau = (np.concatenate(x) for x in zip(*runs))
kept, x, _, _ = least_squares.fit(Y, tau)
weights = 1 / np.maximum(np.std(tau - Y[:, :, kept] @ x, axis=0), 1e-9)
blocks = [factor(a, b, weights) for y, t in runs for a, b in zip(np.array_split(y, 4), np.array_split(t, 4))]
folds = [[R for i, R in enumerate(blocks) if i % 4 == k] for k in range(4)]
strengths, errors = np.logspace(-4, 4, 9), np.zeros(9)
for k in range(4):
    task = problem(np.linalg.qr(np.vstack([R for i, fold in enumerate(folds) if i != k for R in fold]), mode="r"))
    for i, value in enumerate(strengths):
        x = np.append(solved(task, value), -1)
        errors[i] += sum(((R @ x) ** 2).sum() for R in folds[k])
x = solved(problem(np.linalg.qr(np.vstack(blocks), mode="r")), strengths[np.argmin(errors)])
_, _, sigma, map = least_squares.fit(Y * weights[:, None], tau * weights)
# user ends
job.answer(rows.columns(job, regressor, *job.states) @ x, estimate=map @ x, sigma=sigma, truth=None if job.truth is None else map @ job.truth)
