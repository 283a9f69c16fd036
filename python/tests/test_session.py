"""The session of the README on the example: checks, fits, results, robots."""

import ctypes
import re
import shutil
import subprocess

import numpy as np
import pytest

import ident_robotics as ident
from ident_robotics import _program

pandas = pytest.importorskip("pandas", reason="tables are dicts without pandas: test_without_pandas has those")


@pytest.fixture(scope="module")
def result():
    log, urdf = ident.example()
    return ident.fit(log, robot=urdf, plain=True)


def test_fit(result):
    assert result.grade == "sound"
    assert list(result.parameters.columns[:7]) == ["name", "value", "sigma", "unit", "relative_sigma_percent", "expression", "joint"]
    assert str(result).startswith("sound: torques sound, parameters sound") and "58 base parameters" in str(result)
    assert re.search(r"ZZ1R +3\.46\d* +0\.01\d* ", str(result.parameters))  # name, value and deviation are shown
    p = len(result.parameters)
    assert result.covariance.shape == (p, p)
    assert np.allclose(np.sqrt(np.diag(result.covariance)), result.parameters["sigma"], rtol=1e-12)
    assert {"t", "tau1", "predicted1"} <= set(result.residuals.columns)
    assert len(result.errors) == 6 and len(result.links) > 60
    screen = result._repr_html_()
    assert "torques sound, parameters sound" in screen and all(j in screen for j in result.joints)
    with open(result.report, encoding="utf-8") as page:
        assert "<!doctype html>" in page.read(200).lower()


def test_same_bits_as_the_command_line(result, tmp_path):
    log, urdf = ident.example()
    _program.run(["fit", log, "--robot", urdf, "--plain", "-o", str(tmp_path / "r")])
    other = ident.open_result(tmp_path / "r")
    assert other.parameters["value"].equals(result.parameters["value"])
    frame = ident.fit(ident.read_log(log), robot=urdf, plain=True)
    assert frame.parameters["value"].equals(result.parameters["value"])
    frame = ident.read_log(log)
    arrays = {"t": frame["t"].to_numpy(), **{k: frame[["%s%d" % (k, j + 1) for j in range(6)]].to_numpy() for k in ("q", "dq", "tau")}}
    assert ident.fit(arrays, robot=urdf, plain=True).parameters["value"].equals(result.parameters["value"])


def test_models_of_a_result(result):
    rng = np.random.default_rng(1)
    q, dq, ddq = rng.uniform(-1, 1, (3, 40, 6))
    tau = result.predict(q, dq, ddq)
    assert tau.shape == (40, 6)
    assert np.allclose(result.regressor(q, dq, ddq) @ result.parameters["value"].to_numpy(), tau, rtol=0, atol=1e-11)


def test_draws():
    log, urdf = ident.example()
    d = ident.fit(log, robot=urdf, physically_consistent=True).draws(40, seed=3)
    assert len(d) == 40 and d.standard.shape == (40, len(d.names)) and d.mixing["r_hat"] <= 1.02
    masses = d.standard[:, [i for i, name in enumerate(d.names) if name[0] == "M" and name[1:].isdigit()]]
    assert masses.shape == (40, 6) and (masses > 0).all() and (masses.std(axis=0) > 0).all()


def test_models_of_a_robot(monkeypatch):
    robot = ident.Robot(ident.example()[1])
    rng = np.random.default_rng(2)
    q, dq, ddq = rng.uniform(-1, 1, (3, 40, 6))
    tau = robot.inverse_dynamics(q, dq, ddq)
    base, standard = robot.base_parameters(), robot.standard_parameters()
    Y = robot.regressor(q, dq, ddq)
    assert Y.shape == (40, 6, len(base))
    assert np.allclose(Y @ base["value"].to_numpy(), tau, rtol=0, atol=1e-11)
    assert np.allclose(robot.regressor(q, dq, ddq, base=False) @ standard["value"].to_numpy(), tau, rtol=0, atol=1e-11)
    assert base["expression"].str.contains("·").any()
    monkeypatch.setattr("ident_robotics.robots.PART_BYTES", 8 * 6 * 14 * 6 * 7)  # parts of seven states
    assert np.array_equal(robot.regressor(q, dq, ddq), Y)
    assert robot.inverse_dynamics(q[0]).shape == (1, 6)
    links = ident.Robot(ident.example()[1], terms="links")
    assert np.array_equal(robot.regressor(q[:2], dq[:2], ddq[:2], terms="links"), links.regressor(q[:2], dq[:2], ddq[:2]))
    energy = robot.energy(q, dq)
    assert np.all(energy["kinetic"] > 0) and np.all(energy["friction_power"] > 0)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="compiles generated C")
def test_equal_to_generated_code(tmp_path):
    """The C code of codegen, from symbols, has the same regressor and torques as evaluate, which computes by recursion."""
    urdf = ident.example()[1]
    _program.run(["codegen", urdf, "--model", "dynamic,inverse-dynamics", "--base", "--terms", "links", "--lang", "c", "-o", str(tmp_path)])
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", str(tmp_path / "code.so"), str(next(tmp_path.glob("*.c"))), "-lm"], check=True)
    code = ctypes.CDLL(str(tmp_path / "code.so"))
    address = lambda x: x.ctypes.data_as(ctypes.c_void_p)
    robot = ident.Robot(urdf, terms="links")
    values = robot.base_parameters()["value"].to_numpy().copy()
    states = np.random.default_rng(3).uniform(-2, 2, (3, 200, 6))
    Y, tau = robot.regressor(*states), robot.inverse_dynamics(*states)
    for i in range(states.shape[1]):
        q, dq, ddq = (np.ascontiguousarray(x[i]) for x in states)
        D, torque = np.zeros(Y.shape[1:]), np.zeros(6)
        code.puma560_dynamic_regressor(address(q), address(dq), address(ddq), address(D))
        code.puma560_inverse_dynamics(address(q), address(dq), address(ddq), address(values), address(torque))
        assert np.abs(D - Y[i]).max() < 1e-12 * np.abs(Y).max()
        assert np.abs(torque - tau[i]).max() < 1e-12 * np.abs(tau).max()


def test_check_finds_and_fixes(tmp_path):
    log, urdf = ident.example()
    frame = ident.read_log(log)
    frame["tau2"] *= -1
    found = ident.check(frame, robot=urdf)
    assert not found.ok
    assert list(found.channels["quantity"][:3]) == ["position", "velocity", "torque"]
    assert "sign" in set(found.findings["id"])
    with pytest.raises(ident.Error) as refused:
        ident.fit(frame, robot=urdf)
    assert refused.value.exit_code == 1 and "sign" in refused.value.findings


def test_validate_compare_export(result, tmp_path):
    log, urdf = ident.example()
    seen = result.validate(ident.read_log(log))
    assert 0 < seen.relative_error_percent < 10
    assert "differ" in str(result.compare(urdf).document) or result.compare(urdf).document["schema"] == "ident.compare/1"
    result.export(tmp_path / "arm.urdf", allow_nonphysical=True)
    assert len(ident.Robot(tmp_path / "arm.urdf").joints) == 6


def test_design_and_simulate(tmp_path):
    urdf = ident.example()[1]
    trajectory = ident.design(urdf, period=8, starts=1, seed=1)
    assert {"t", "q1"} <= set(trajectory.sample().columns) or len(trajectory.sample().columns) >= 13
    trajectory.save(tmp_path / "t.csv")
    log = ident.simulate(urdf, trajectory, rate=100, torque_noise=0.1)
    assert len(log) >= 800
    same = ident.simulate(urdf, trajectory.sample(), rate=100, torque_noise=0.1)
    assert np.allclose(same["q1"], log["q1"], rtol=0, atol=1e-5)
    industrial = ident.simulate(urdf, trajectory, noise="industrial")
    assert industrial.equals(ident.simulate(urdf, trajectory, sensors="industrial"))
    with pytest.raises(TypeError, match="one option"):
        ident.simulate(urdf, trajectory, noise="industrial", sensors="cobot")


def test_loads(result):
    log, urdf = ident.example()
    for subject in (urdf, result):
        loads = ident.loads(subject, log)
        assert list(loads.drives["joint"]) == result.joints == list(loads.bearings["joint"])
        assert np.allclose(loads.drives["torque"].abs(), [loads.series["tau_" + j].abs().max() for j in result.joints], rtol=1e-9)
    assert loads.drives["torque_sigma"].to_numpy().min() > 0
    assert len(loads.beams) == 0


def test_elastic_joints(tmp_path):
    arm = tmp_path / "arm.yaml"
    arm.write_text("""name: one-axis
gravity: [0, -9.81, 0]
links:
  - name: upper
    joint:
      name: shoulder
      limits: {position: [-2, 2], velocity: 3, acceleration: 15, effort: 150}
      drive: {ia: 0.8, fv: 2, fs: 1.5, gear_ratio: 100}
      elastic: true
      stiffness: 6000
      damping: 3
    mdh: {}
    inertial: {mass: 6, com: [0.2, 0.01, 0], inertia: {ixx: 0.01, iyy: 0.05, izz: 0.05}}
""")
    log = ident.simulate(arm, ident.design(arm, period=8, starts=1, seed=1), seed=1)
    found = ident.fit_elastic(log, robot=arm)
    joint = found.joints.iloc[0]
    assert abs(float(joint["stiffness"]) - 6000) < 5 * float(joint["stiffness_sigma"]) < 600
    assert list(found.resonances["motors"]) == ["free", "locked"]
    assert len(found.parameters) == len(found.document["base_parameters"] or [])
    with pytest.raises(ident.Error, match="fit_elastic"):
        ident.fit(log, robot=arm)
    assert len(ident.fit(log, robot=arm, rigid=True, plain=True).parameters) > 3


def test_folder_of_a_result_is_removed():
    import gc
    import os

    log, urdf = ident.example()
    r = ident.fit(log, robot=urdf, plain=True)
    folder = r.folder
    assert os.path.isdir(folder)
    del r
    gc.collect()
    assert not os.path.exists(folder)
