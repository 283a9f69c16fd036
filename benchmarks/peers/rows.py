"""The rows of a fit, as users of a library that has regressors and no identification write them.

The marked lines are counted for each peer that imports this file. Torques and every column of the regressor pass one low-pass, so that
what it takes from one side it takes from the other too (Gautier's parallel filter).
"""

from __future__ import annotations

import trial

# user begins
import numpy as np
from scipy import signal


def lowpass(x, rate, cutoff):
    if cutoff >= 0.45 * rate:
        return x
    return signal.sosfiltfilt(signal.butter(4, cutoff, fs=rate, output="sos"), x, axis=0)


def motion(run, cutoff):
    q = lowpass(run.q, run.rate, 5 * cutoff)
    dq = np.gradient(q, 1 / run.rate, axis=0) if run.dq is None else lowpass(run.dq, run.rate, 5 * cutoff)
    return q, dq, np.gradient(dq, 1 / run.rate, axis=0)


def thinned(x, rate, cutoff):
    edge = int(0.5 * rate)
    return lowpass(x, rate, cutoff)[edge : len(x) - edge : max(1, int(rate / (4 * cutoff)))]


def with_joints(Y, dq, ddq):
    n = dq.shape[1]
    out = np.zeros((len(dq), n, Y.shape[2] + 4 * n))
    out[:, :, : Y.shape[2]] = Y
    for j in range(n):
        for k, x in enumerate((dq[:, j], np.sign(dq[:, j]), np.ones(len(dq)), ddq[:, j])):
            out[:, j, Y.shape[2] + 4 * j + k] = x
    return out


# user ends


def columns(job: trial.Job, regressor, q, dq, ddq) -> np.ndarray:
    """Return the regressor of a peer with the columns of the joints, and with those of a wrist that is known to be coupled."""
    Y = with_joints(regressor(q, dq, ddq), dq, ddq)
    return np.concatenate([Y, trial.coupled(dq, ddq)], axis=2) if job.coupled else Y


def of(job: trial.Job, regressor) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return columns (N, n, p) and torques (N, n) of each run, filtered and thinned."""
    return [(thinned(columns(job, regressor, *motion(run, job.cutoff)), run.rate, job.cutoff), thinned(run.tau, run.rate, job.cutoff)) for run in job.runs]
