#!/usr/bin/env python3
"""Measure calls of Python for single states: medians of 10,000 calls with numpy arrays in and out, beside Pinocchio if it is installed.

    states.py ROBOT.urdf

The machine should be idle: ident_robotics needs a core for Python and one for the program that it keeps.
"""
import sys
import time

import numpy as np

import ident_robotics as ident


def median(name, columns, call, states):
    call(*states[0])
    taken = np.empty(len(states))
    for i, state in enumerate(states):
        began = time.perf_counter_ns()
        call(*state)
        taken[i] = time.perf_counter_ns() - began
    print("%-40s %4s columns  median %6.2f µs, 90 %% %6.2f µs" % (name, columns, *np.percentile(taken / 1e3, [50, 90])))


def main(path):
    for terms in ("links", "links,Ia,Fv,Fs,Fo"):
        robot = ident.Robot(path, terms=terms)
        states = np.random.default_rng(1).normal(size=(10_000, 3, len(robot.joints)))
        for base in (False, True):
            columns = robot.regressor(states[0, 0], base=base).shape[2]
            median("regressor, %s%s" % (terms, ", base parameters" if base else ""), columns, lambda *s: robot.regressor(*s, base=base), states)
        median("inverse dynamics, " + terms, "", robot.inverse_dynamics, states)
    try:
        import pinocchio
    except ImportError:
        return
    model = pinocchio.buildModelFromUrdf(path)
    data = model.createData()
    median("Pinocchio " + pinocchio.__version__, 10 * model.nv, lambda *s: pinocchio.computeJointTorqueRegressor(model, data, *s).copy(), states)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
