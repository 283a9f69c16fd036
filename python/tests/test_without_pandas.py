"""With numpy alone tables are dicts of arrays."""

import sys

import numpy as np

import ident_robotics as ident


def test_tables_are_dicts(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    log, urdf = ident.example()
    arrays = ident.read_log(log)
    assert type(arrays) is dict and len(arrays["t"]) == 6001
    result = ident.fit(arrays, robot=urdf, plain=True)
    assert result.grade == "sound"
    assert isinstance(result.parameters["value"], np.ndarray)
    assert len(result.residuals["t"]) > 5000
