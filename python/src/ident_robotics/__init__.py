"""Inertial parameters of robots from their description and their logs, and how far they can be trusted.

>>> import ident_robotics as ident
>>> log, urdf = ident.example()
>>> result = ident.fit(log, robot=urdf, plain=True)
>>> result.grade
'sound'

The work is done by the program ``ident``, which this package carries; ``ident --help`` in a shell is the same program.
Every option of a command is a keyword with underscores for dashes. Logs are paths, DataFrames or dicts of arrays, with
the channels ``t``, ``q1`` …, ``tau1`` … (or a joint's name, ``q_elbow``); all numbers are in SI units.
"""

from ._program import Error, IdentWarning, Progress
from .experiments import Loads, Trajectory, design, loads, simulate
from .logs import Check, check, example, read_log
from .results import Comparison, Draws, ElasticResult, Result, Validation, compare, fit, fit_elastic, open_result
from .robots import Robot

__version__ = "0.4.0"

__all__ = [
    "Check", "Comparison", "Draws", "ElasticResult", "Error", "IdentWarning", "Loads", "Progress", "Result", "Robot", "Trajectory", "Validation",
    "check", "compare", "design", "example", "fit", "fit_elastic", "loads", "open_result", "read_log", "simulate",
]
