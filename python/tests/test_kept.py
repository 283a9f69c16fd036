"""The program that is kept for single states: its values, and that it is right under threads, after fork, after its death and at the end."""

import copy
import gc
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import ident_robotics as ident
from ident_robotics import _kept

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no program is kept on Windows")

RNG = np.random.default_rng(5)


@pytest.fixture
def robot():
    return ident.Robot(ident.example()[1])


def many(f, q, dq=None, ddq=None, **options):
    """Return the values at few states by a process of its own: as the first of more states than a program is asked for at once."""
    pad = [None if x is None else np.vstack([x, np.zeros((_kept.ROWS, x.shape[1]))]) for x in (q, dq, ddq)]
    return f(*pad, **options)[: len(q)]


def pid(robot):
    assert robot._program._running is not None
    return robot._program._running._process.pid


def alive(process):
    try:
        return pathlib.Path("/proc/%d/stat" % process).read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ends(process):
    until = time.monotonic() + 10
    while alive(process) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(process)


@pytest.mark.parametrize("rows", [1, 2, _kept.ROWS])
def test_values_are_those_of_a_process_each(robot, rows):
    q, dq, ddq = RNG.normal(size=(3, rows, 6))
    for f, options in ((robot.regressor, {"base": False}), (robot.regressor, {}), (robot.inverse_dynamics, {}), (robot.regressor, {"base": False})):
        for args in ((q, dq, ddq), (q,), (q, None, ddq)):
            few, whole = f(*args, **options), many(f, *args, **options)
            assert few.shape == whole.shape and np.abs(few - whole).max() <= 1e-12 * np.abs(whole).max()
            before = few.copy()
            f(-q, **options)
            assert np.array_equal(few, before) and few.flags.writeable
    assert len({pid(robot), pid(robot)}) == 1


def test_forms_of_states(robot):
    q = RNG.normal(size=6)
    want = robot.inverse_dynamics(q)
    assert want.shape == (1, 6)
    for same in (list(q), q[np.newaxis], np.asfortranarray(q[np.newaxis]), np.repeat(q, 2)[::2], q.astype(">f8"), np.ma.MaskedArray(q)):
        assert np.array_equal(robot.inverse_dynamics(same), want)
    assert np.array_equal(robot.inverse_dynamics(q, np.zeros(6), [0] * 6), want)
    assert np.isnan(robot.inverse_dynamics(np.where(np.arange(6) == 1, np.nan, q))).any()
    for wrong in (q[:5], np.zeros((2, 5)), np.zeros((0, 6)), "a", np.zeros((1, 1, 6))):
        with pytest.raises(ValueError):
            robot.regressor(wrong)
    with pytest.raises(ValueError):
        robot.regressor(q, q[np.newaxis].repeat(2, 0))


def test_a_result_predicts_single_states(tmp_path):
    log, urdf = ident.example()
    result = ident.fit(log, robot=urdf, plain=True, output=tmp_path / "result")
    q, dq, ddq = RNG.normal(size=(3, 3, 6))
    assert np.abs(result.predict(q, dq, ddq) - many(result.predict, q, dq, ddq)).max() < 1e-10
    assert np.allclose(result.regressor(q[0], dq[0], ddq[0])[0] @ np.asarray(result.parameters["value"]), result.predict(q[0], dq[0], ddq[0])[0])
    assert np.array_equal(pickle.loads(pickle.dumps(result)).predict(q), result.predict(q))


def test_loops_that_do_not_close_are_an_error(tmp_path):
    (tmp_path / "four-bar.yaml").write_text("""
name: four-bar
links:
  - {name: crank, joint: {name: j1}, inertial: {mass: 1, com: [0.2, 0, 0], inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}}}
  - {name: coupler, joint: {name: j2, passive: true}, origin: {xyz: [0.35, 0, 0]}, inertial: {mass: 1, com: [0.2, 0, 0], inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}}}
  - {name: rocker, parent: base, joint: {name: j3, passive: true}, origin: {xyz: [1, 0, 0]}, inertial: {mass: 1, com: [0.2, 0, 0], inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}}}
loops:
  - joint: {name: cut, kind: revolute}
    frame: {parent: coupler, origin: {xyz: [0.5, 0, 0]}, axis: [0, 0, 1]}
    meets: {parent: rocker, origin: {xyz: [0.4, 0, 0]}, axis: [0, 0, 1]}
assembly: {j1: 0.3, j2: 1, j3: 1.5}
""")
    robot = ident.Robot(tmp_path / "four-bar.yaml")
    assert robot.inverse_dynamics([0.3]).shape == (1, 1)
    with pytest.raises(ident.Error, match="loop|clos|reach"):
        robot.inverse_dynamics([2.8])
    assert robot.inverse_dynamics([0.3]).shape == (1, 1)


def test_threads(robot):
    q = RNG.normal(size=(8, 6))
    want = [robot.regressor(x, base=False) for x in q]
    wrong, barrier = [], threading.Barrier(8)

    def work(i):
        barrier.wait()
        for _ in range(300):
            if not np.array_equal(robot.regressor(q[i], base=False), want[i]):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_after_fork(robot):
    q = RNG.normal(size=6)
    want, parent = robot.regressor(q), pid(robot)
    for _ in range(3):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                same = np.array_equal(robot.regressor(q), want) and pid(robot) != parent
                gc.collect()
                code = 0 if same else 2
                robot._program._running.stop()
            finally:
                os._exit(code)
        for _ in range(50):
            assert np.array_equal(robot.regressor(q), want)
        assert os.waitpid(child, 0)[1] == 0
    assert pid(robot) == parent and alive(parent)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert all(np.array_equal(x, want) for x in pool.map(robot.regressor, [q] * 4))
    assert np.array_equal(robot.regressor(q), want) and pid(robot) == parent


def test_a_fork_while_another_thread_asks(robot):
    q = RNG.normal(size=6)
    want, stop = robot.regressor(q), threading.Event()

    def work():
        while not stop.is_set():
            robot.regressor(q)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                os._exit(0 if np.array_equal(robot.regressor(q), want) else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        thread.join()


def test_after_the_program_died(robot):
    q = RNG.normal(size=6)
    want = robot.regressor(q)
    for how in (signal.SIGKILL, signal.SIGTERM):
        before = pid(robot)
        os.kill(before, how)
        assert ends(before)
        assert np.array_equal(robot.regressor(q), want) and pid(robot) != before
    # While it is asked.
    for _ in range(20):
        killer = threading.Timer(0.002, os.kill, (pid(robot), signal.SIGKILL))
        killer.start()
        until = time.monotonic() + 0.01
        while time.monotonic() < until:
            assert np.array_equal(robot.regressor(q), want)
        killer.join()


def test_a_program_that_sleeps(robot):
    q = RNG.normal(size=6)
    want = robot.regressor(q)
    for pause in (0, 1e-4, 2e-4, 3e-4, 1e-3, 0.05):
        for _ in range(20):
            time.sleep(pause)
            assert np.array_equal(robot.regressor(q), want)
    # A program that is stopped for a while answers afterwards.
    os.kill(pid(robot), signal.SIGSTOP)
    threading.Timer(0.2, os.kill, (pid(robot), signal.SIGCONT)).start()
    assert np.array_equal(robot.regressor(q), want)


def test_other_processors_wait_for_bytes(robot, monkeypatch):
    monkeypatch.setattr(_kept, "_KEEPS_ORDER", False)
    q = RNG.normal(size=6)
    want = robot.regressor(q)
    for _ in range(200):
        assert np.array_equal(robot.regressor(q), want)
    os.kill(pid(robot), signal.SIGKILL)
    assert np.array_equal(robot.regressor(q), want)


def test_the_program_ends_with_its_object():
    robot = ident.Robot(ident.example()[1])
    robot.regressor(np.zeros(6))
    process = pid(robot)
    other = copy.deepcopy(robot)
    assert other._program._running is None and np.array_equal(other.regressor(np.zeros(6)), robot.regressor(np.zeros(6)))
    del robot
    gc.collect()
    assert ends(process) and alive(pid(other))


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "raise SystemExit", "os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)", "threading.Thread(target=time.sleep, args=(0.2,)).start()"])
def test_the_end_of_the_interpreter(end):
    code = """
import os, signal, sys, threading, time, numpy as np, ident_robotics as ident
robot = ident.Robot(ident.example()[1])
robot.regressor(np.zeros(6))
print(robot._program._running._process.pid, flush=True)
%s
""" % end
    run = subprocess.run([sys.executable, "-W", "error", "-X", "dev", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    assert run.stderr == b""
    assert ends(int(run.stdout))


def test_ctrl_c(robot):
    q = RNG.normal(size=6)
    want = robot.regressor(q)
    for _ in range(10):
        with pytest.raises(KeyboardInterrupt):
            threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT)).start()
            while True:
                robot.regressor(q)
        assert np.array_equal(robot.regressor(q), want)


def test_a_robot_file_that_is_gone(tmp_path):
    urdf = tmp_path / "arm.urdf"
    urdf.write_bytes(pathlib.Path(ident.example()[1]).read_bytes())
    robot = ident.Robot(urdf)
    robot.joints
    urdf.unlink()
    with pytest.raises(ident.Error, match="arm.urdf"):
        robot.regressor(np.zeros(6))
