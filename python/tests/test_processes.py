"""Processes: the program ends with Python, a callback that fails ends a call, forks and pickles keep results, paths are no options."""

import copy
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np
import pytest

import ident_robotics as ident
from ident_robotics import _folders, _program

posix = pytest.mark.skipif(os.name == "nt", reason="processes of POSIX")


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Give a test a folder of temporary files of its own."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def stub(tmp_path, monkeypatch, code):
    """Put a program of Python code in place of ident."""
    path = tmp_path / "stub"
    path.write_text("#!%s\nimport json, os, sys\n%s" % (sys.executable, code), encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("IDENT_PROGRAM", str(path))


def running(marker):
    """Return the processes of this system whose command line has a marker."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if marker.encode() in path.read_bytes() and path.parent.name != str(os.getpid()):
                found.append(path.parent.name)
        except OSError:
            pass  # it has ended
    return found


@posix
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda s: s.name)
def test_the_program_ends_with_python(temporary, tmp_path, how):
    urdf = tmp_path / ("arm-%s.urdf" % how.name)
    urdf.write_bytes(pathlib.Path(ident.example()[1]).read_bytes())
    # A forked child of Python that lives on must not keep the program alive.
    code = """
import os, sys, threading, time
import ident_robotics as ident
threading.Thread(target=ident.design, args=(%r,), kwargs=dict(period=20, starts=5000), daemon=True).start()
time.sleep(1)
if os.fork() == 0:
    os.close(1)
    time.sleep(15)
    os._exit(0)
print("on", flush=True)
time.sleep(60)
""" % str(urdf)
    python = subprocess.Popen([sys.executable, "-W", "ignore", "-c", code], stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(temporary)}, start_new_session=True)
    assert python.stdout is not None and python.stdout.readline() == b"on\n"
    assert running("\0" + str(urdf))
    python.send_signal(how)
    python.wait(10)
    python.stdout.close()
    until = time.monotonic() + 30
    while running("\0" + str(urdf)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not running("\0" + str(urdf))
    os.killpg(python.pid, signal.SIGKILL)  # the forked child
    assert not list(temporary.iterdir())


@pytest.mark.parametrize("error", [RuntimeError("mine"), KeyboardInterrupt(), SystemExit(3)], ids=lambda e: type(e).__name__)
def test_a_callback_that_raises(tmp_path, monkeypatch, error):
    # More lines than a pipe holds: the reader must go on.
    stub(tmp_path, monkeypatch, "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nfor i in range(20000): print('progress: stage %d/20000' % i, file=sys.stderr)\nprint('{}')")
    calls = []

    def report(*step):
        calls.append(step)
        raise error

    with pytest.raises(type(error)) as raised:
        ident.check("log.csv", progress=report)
    assert raised.value is error and len(calls) == 1


def test_a_callback_that_raises_ends_the_program(temporary):
    log, urdf = ident.example()

    def report(*_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ident.fit(log, robot=urdf, bootstrap=5000, progress=report)
    assert not list(temporary.iterdir())


@posix
def test_a_forked_child_keeps_the_result(temporary):
    log, urdf = ident.example()
    result = ident.fit(log, robot=urdf, plain=True)
    for code in ("os._exit(0)", "sys.exit(0)", "del result; gc.collect(); sys.exit(0)"):
        child = os.fork()
        if child == 0:
            try:
                import gc  # noqa: F401

                exec(code)
            except SystemExit:
                import atexit

                result = None
                atexit._run_exitfuncs()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        assert os.path.isfile(os.path.join(result.folder, "result.json"))
    assert len(result.residuals["t"]) > 1000
    folder = result.folder
    del result
    assert not os.path.exists(folder)


def test_a_pickle_carries_the_files(temporary, tmp_path):
    log, urdf = ident.example()
    for result in (ident.fit(log, robot=urdf, plain=True), ident.fit(log, robot=urdf, plain=True, output=tmp_path / "named")):
        tau = result.predict(np.zeros(6))
        data = pickle.dumps(result)
        named = result.folder
        del result
        for other in (pickle.loads(data), copy.deepcopy(pickle.loads(data)), copy.copy(pickle.loads(data))):
            assert other.folder != named and other.grade == "sound"
            assert len(other.residuals["t"]) > 1000 and np.array_equal(other.predict(np.zeros(6)), tau)
            other.export(tmp_path / "arm.urdf", allow_nonphysical=True, overwrite=True)
        del other
    motion = ident.design(urdf, period=8, starts=1, seed=1)
    same = pickle.loads(pickle.dumps(motion))
    motion.save(tmp_path / "a.json")
    same.save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes() and len(same.sample()["t"]) == len(motion.sample()["t"])
    del motion, same
    gone = ident.fit(log, robot=urdf, plain=True)
    assert gone._keep is not None
    gone._keep.cleanup()
    with pytest.raises(pickle.PicklingError, match="no files"):
        pickle.dumps(gone)
    assert not list(temporary.iterdir())


@posix
def test_folders_of_killed_processes_are_removed(temporary):
    code = "import os, ident_robotics._folders as f\nx = f.Folder()\nopen(x.name + '/a', 'w').close()\nos._exit(0)"
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(temporary)}, check=True)
    assert len(list(temporary.iterdir())) == 1
    foreign = temporary / ".ident-mine.tmp"
    foreign.mkdir()
    with _folders.Folder(), _folders.Folder():
        assert len(list(temporary.iterdir())) == 3
    assert list(temporary.iterdir()) == [foreign]


NAMES = ["-x", "--help", "--config=/etc/hostname", "-", "--", "-o", "-ä b.csv"]


@posix
@pytest.mark.parametrize("name", NAMES)
def test_paths_that_begin_with_a_dash(tmp_path, monkeypatch, name):
    """Whatever the call, no path of the caller reaches the program as a word with a dash in front."""
    record = tmp_path / "words.jsonl"
    stub(tmp_path, monkeypatch, """
with open(%r, "a") as f:
    f.write(json.dumps(sys.argv[1:]) + "\\n")
print(json.dumps({"schema": "ident.fit/1", "joints": ["a"], "terms": [], "name": "r", "dof": 1, "findings": [], "drives": []}))
""" % str(record))
    monkeypatch.chdir(tmp_path)
    path = pathlib.Path(name)
    result = ident.Result(_program.path(name), {"joints": ["a"]})  # type: ignore[arg-type]
    robot = ident.Robot(name)
    for call in (
        lambda: ident.check(name), lambda: ident.check([path, name], robot=name).fix(name), lambda: ident.check(name, robot=robot),
        lambda: ident.fit([name], robot=path, validate=[name], output=name), lambda: ident.fit_elastic(path, robot=name, output=path),
        lambda: ident.read_log(name), lambda: ident.design(name), lambda: ident.simulate(name, name), lambda: ident.simulate(robot, path),
        lambda: ident.loads(name, name), lambda: ident.loads(result, path), lambda: ident.compare(name, path, robot, result, validate=name),
        lambda: result.export(name), lambda: result.validate(name), lambda: result.compare(name), lambda: result.predict([0.0]),
        lambda: robot.joints, lambda: robot.base_document, lambda: result.draws(3), lambda: result.report,
    ):
        try:
            call()
        except (ident.Error, OSError, KeyError, TypeError):
            pass  # the stub writes nothing
    given = [words for words in map(json.loads, record.read_text().splitlines())]
    assert len(given) >= 19
    for words in given:
        assert name not in words[1:] or name == "-o" and words.count(name) == sum(w == "-o" for w in words)
        assert not any(w.endswith("=" + name) for w in words)
        for before, word in zip(words, words[1:]):
            if before == "-o":
                assert not word.startswith("-")


def test_files_that_begin_with_a_dash(tmp_path, monkeypatch):
    log, urdf = ident.example()
    monkeypatch.chdir(tmp_path)
    pathlib.Path("-x.parquet").write_bytes(pathlib.Path(log).read_bytes())
    pathlib.Path("-r.urdf").write_bytes(pathlib.Path(urdf).read_bytes())
    result = ident.fit("-x.parquet", robot="-r.urdf", plain=True, output="--help")
    assert ident.open_result("--help").grade == result.grade == "sound" and pathlib.Path("--help/result.json").is_file()
    assert ident.Robot("-r.urdf").joints == result.joints
    result.export("-o.urdf", allow_nonphysical=True)
    assert pathlib.Path("-o.urdf").is_file()
    with pytest.raises(ident.Error, match="config"):
        ident.check(["-x.parquet", "--config=/etc/hostname"])
