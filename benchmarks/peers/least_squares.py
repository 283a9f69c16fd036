"""Least squares with numpy and scipy, as users of a library that has regressors and no identification write it.

The marked lines are counted for each peer that imports this file.
"""

from __future__ import annotations

import trial


# user begins
import numpy as np
from scipy import linalg, signal


def own_motion(t, q, tau, cutoff):
    rate = (len(t) - 1) / (t[-1] - t[0])
    b, a = signal.butter(4, min(cutoff, 0.45 * rate), fs=rate)
    q, tau = signal.filtfilt(b, a, q, axis=0), signal.filtfilt(b, a, tau, axis=0)
    dq = np.gradient(q, 1 / rate, axis=0)
    ddq = np.gradient(dq, 1 / rate, axis=0)
    edge = slice(int(0.5 * rate), -int(0.5 * rate))
    return q[edge], dq[edge], ddq[edge], tau[edge]


def with_joints(Y, dq, ddq):
    n = dq.shape[1]
    out = np.zeros((len(dq), n, Y.shape[2] + 4 * n))
    out[:, :, : Y.shape[2]] = Y
    for j in range(n):
        for k, x in enumerate((dq[:, j], np.sign(dq[:, j]), np.ones(len(dq)), ddq[:, j])):
            out[:, j, Y.shape[2] + 4 * j + k] = x
    return out


def fit(Y, tau):
    W, y = Y.reshape(-1, Y.shape[2]), tau.reshape(-1)
    R, P = linalg.qr(W / max(1e-12, abs(W).max()), mode="r", pivoting=True)
    d = abs(np.diag(R))
    r = int((d > 1e-7 * d[0]).sum())
    kept = P[:r]
    map = np.zeros((r, W.shape[1]))
    map[:, P] = np.hstack([np.eye(r), linalg.solve_triangular(R[:r, :r], R[:r, r:])])
    x, *_ = np.linalg.lstsq(W[:, kept], y, rcond=None)
    s2 = ((y - W[:, kept] @ x) ** 2).sum() / (len(y) - r)
    sigma = np.sqrt(np.diag(s2 * np.linalg.inv(W[:, kept].T @ W[:, kept])))
    return kept, x, sigma, map
# user ends


def solve(job: trial.Job, regressor, torques) -> None:
    """Fit the runs of the job with the regressor of a peer, a function of q, dq and ddq (N, n) to (N, n, p), and answer.

    A job that asks for no fit gets the regressor and the torques of the robot file at its states instead.
    """
    if job.evaluate:
        began = trial.seconds()
        Y = regressor(*job.states)
        took = trial.seconds() - began
        job.answer(torques(*job.states), Y=Y, seconds=took)
        return

    def columns(q, dq, ddq):
        Y = with_joints(regressor(q, dq, ddq), dq, ddq)
        return np.concatenate([Y, trial.coupled(dq, ddq)], axis=2) if job.coupled and job.given else Y

    Ys, taus = [], []
    for run in job.runs:
        if job.given:
            m = trial.prepare(run, job.cutoff)
            Ys.append(trial.rows(columns(m.q, m.dq, m.ddq), m.rate, job.cutoff))
            taus.append(trial.rows(m.tau, m.rate, job.cutoff))
        else:
            q, dq, ddq, tau = own_motion(run.t, run.q, run.tau, job.cutoff)
            Ys.append(columns(q, dq, ddq))
            taus.append(tau)
    kept, x, sigma, map = fit(np.concatenate(Ys), np.concatenate(taus))
    q, dq, ddq = job.states
    predicted = columns(q, dq, ddq)[:, :, kept] @ x
    job.answer(predicted, estimate=x, sigma=sigma, truth=None if job.truth is None else map @ job.truth)
