"""Bad input: one error that says the same as the command line; nothing is left behind."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np
import pytest

import ident_robotics as ident
from ident_robotics import _keywords, _program


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """Give every test a folder of temporary files of its own, which must be empty after it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert not list(folder.iterdir())


def test_missing_file():
    urdf = ident.example()[1]
    with pytest.raises(ident.Error, match="missing.csv") as e:
        ident.fit("missing.csv", robot=urdf)
    said = subprocess.run([_program.program(), "fit", "missing.csv", "--robot", urdf], capture_output=True, text=True)
    assert said.stderr.strip() == "ident: " + e.value.message
    assert said.returncode == e.value.exit_code == 1
    with pytest.raises(ident.Error, match="nowhere"):
        ident.open_result("nowhere")
    with pytest.raises(ident.Error, match="missing.urdf"):
        ident.Robot("missing.urdf")


@pytest.mark.parametrize("options, error, text", [
    ({"cutof": 8}, TypeError, "did you mean cutoff"),
    ({"cutoff": "high"}, TypeError, "number or 'auto'"),
    ({"cutoff": -1}, ValueError, "from 0.001"),
    ({"cutoff": float("nan")}, ValueError, "give a number"),
    ({"plain": 1}, TypeError, "True or False"),
    ({"seed": 1.5}, TypeError, "whole number"),
    ({"on_bad": "ignore"}, ValueError, "error, drop"),
    ({"map": 3 + 4j}, TypeError, "dict"),
])
def test_wrong_keywords_start_nothing(monkeypatch, options, error, text):
    monkeypatch.setenv("IDENT_PROGRAM", "/nowhere/ident")
    with pytest.raises(error, match=text):
        ident.fit("log.csv", robot="arm.urdf", **options)


def test_keywords_become_options():
    words = _keywords.words("fit", {"map": {"tau1": "force"}, "rows": {"log": "1-20"}, "gains": np.array([10.0, 0.1]), "terms": ["links", "Fv"], "cutoff": np.float32(8),
                                    "physically_consistent": True, "lock": {"j1": 0.5}, "plain": False, "trim": None})
    assert words == ["--map=tau1=force", "--rows=log:1-20", "--gains=10.0,0.1", "--terms=links,Fv", "--cutoff=8.0", "--physically-consistent=yes", "--lock=j1=0.5", "--plain=false"]


def test_tables():
    urdf = ident.example()[1]
    with pytest.raises(TypeError, match="not int"):
        ident.fit(3, robot=urdf)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="different lengths"):
        ident.fit({"t": np.arange(3.0), "q1": np.arange(4.0)}, robot=urdf)
    with pytest.raises(ValueError, match="no rows"):
        ident.fit({"t": []}, robot=urdf)
    with pytest.raises(ident.Error, match="frame"):
        ident.fit({"t": np.arange(100) * 0.01, "x": np.zeros(100)}, robot=urdf)
    with pytest.raises(ValueError, match="6 joints"):
        ident.Robot(urdf).regressor(np.zeros((3, 7)))


def test_robot_that_does_not_fit(tmp_path):
    other = tmp_path / "other.urdf"
    other.write_text('<robot name="other"><link name="base"/><link name="a"/><joint name="slide" type="prismatic"><parent link="base"/><child link="a"/></joint></robot>')
    log = ident.example()[0]
    frame = {k: v for k, v in ident.read_log(log).items() if k in ("t",)}
    with pytest.raises(ident.Error, match="channel"):
        ident.fit(frame, robot=other)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_interrupt_ends_the_program(tmp_path, temporary):
    log, urdf = ident.example()
    # A shell that starts the tests in the background has them ignore the signal.
    code = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "import ident_robotics as ident\nprint('on', flush=True)\nident.design(%r, period=20, starts=5000)\n" % urdf
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(temporary)})
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in err
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            assert b"starts=5000" not in path.read_bytes()
        except OSError:
            pass  # it has ended


@pytest.fixture
def small_disk(tmp_path, monkeypatch):
    """A disk of a megabyte for temporary files."""
    disk = tmp_path / "disk"
    disk.mkdir()
    try:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a small disk needs the right to mount one")
    monkeypatch.setenv("TMPDIR", str(disk))
    monkeypatch.setattr(tempfile, "tempdir", str(disk))
    yield disk
    left = list(disk.iterdir())
    subprocess.run(["umount", str(disk)], check=True)
    assert not left


def test_full_disk(small_disk):
    log, urdf = ident.example()
    frame = ident.read_log(log)
    states = np.zeros((3, 5000, 6))
    large = {"t": np.arange(50000) * 0.01, "q": np.zeros((50000, 6))}
    for run in (lambda: ident.fit(log, robot=urdf, plain=True), lambda: ident.fit(frame, robot=urdf, plain=True), lambda: ident.Robot(urdf).regressor(*states),
                lambda: ident.check(large, robot=urdf)):
        with pytest.raises(ident.Error, match="(?i)no space left on device") as e:
            run()
        assert str(small_disk / ".ident-") not in e.value.message or "writing the arrays" in e.value.message
        assert not list(small_disk.iterdir())


def test_progress():
    log, urdf = ident.example()
    steps = []
    ident.fit(log, robot=urdf, progress=lambda stage, done, total: steps.append((stage, done, total)))
    assert steps and all(0 <= done <= total for _, done, total in steps)


def test_no_mathematics_in_python():
    """The package computes nothing: no solver, no product of arrays, no operators of linear algebra."""
    import re

    for path in pathlib.Path(ident.__file__).parent.glob("*.py"):
        text = re.sub(r'""".*?"""', "", path.read_text(encoding="utf-8"), flags=re.S)
        for word in ("linalg", "np.dot", "np.sin", "np.cos", "np.sqrt", "einsum", "matmul", "np.exp", "np.sum", "np.mean", "scipy", " @ "):
            assert word not in text, "%s has %s" % (path.name, word)


@pytest.mark.parametrize("said, spoken", [
    ("no motion: give --trajectory FILE (ident design-trajectory makes one), --task FILE or --torques FILE", "no motion: give trajectory=FILE (ident design-trajectory makes one), task=FILE or torques=FILE"),
    ("map it, as in --map t=CHANNEL, or give the rate: --rate 200", "map it, as in map='t=CHANNEL', or give the rate: rate=200"),
    ("leave out --follow; ident fit --physically-consistent finds bodies; --motion-cutoff 2.5", "leave out follow; ident fit --physically-consistent finds bodies; motion_cutoff=2.5"),
    ("--trials writes no log, -o is a file", "trials writes no log, -o is a file"),
    ("--gravity -0.1,0,-9.81; fit with --bodies file, which takes --terms Fv,Fs,Fo", "gravity='-0.1,0,-9.81'; fit with bodies='file', which takes terms='Fv,Fs,Fo'"),
    ("--unit joint-1=deg, or --velocity position", "unit='joint-1=deg', or velocity='position'"),
])
def test_options_are_named_as_keywords(said, spoken):
    assert _program._spoken(said) == spoken
