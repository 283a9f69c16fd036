#!/usr/bin/env python3
"""Strips, checks and executes notebooks; run.sh prepares what this needs.

    execute.py strip NOTEBOOK...           removes outputs and execution counts
    execute.py check NOTEBOOK...           fails if there are any
    execute.py run [-o DIR] NOTEBOOK...    runs every cell; DIR gets the executed notebooks
"""

import json
import os
import sys
import time

CELL_SECONDS = 120


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def stripped(notebook):
    """Returns the notebook as it is committed: sources, and nothing that a run left."""
    out = {
        "cells": [],
        "metadata": {
            "kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"},
            "language_info": {"name": "go"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    for i, cell in enumerate(notebook["cells"]):
        kept = {"cell_type": cell["cell_type"], "id": "cell-%02d" % i, "metadata": {}}
        if cell["cell_type"] == "code":
            kept.update(execution_count=None, outputs=[])
        source = cell["source"]
        kept["source"] = (source if isinstance(source, str) else "".join(source)).splitlines(keepends=True)
        out["cells"].append(kept)
    return out


def text(notebook):
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def strip(paths):
    for path in paths:
        clean = text(stripped(load(path)))
        with open(path, encoding="utf-8") as f:
            if f.read() == clean:
                continue
        with open(path + ".part", "w", encoding="utf-8") as f:
            f.write(clean)
        os.replace(path + ".part", path)
        print("%s: stripped" % os.path.basename(path))


def check(paths):
    bad = 0
    for path in paths:
        with open(path, encoding="utf-8") as f:
            if f.read() != text(stripped(json.load(open(path, encoding="utf-8")))):
                print("%s: holds outputs or traces of a run; notebooks/run.sh --strip removes them" % os.path.basename(path))
                bad += 1
    return bad


def run(paths, into):
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    bad = 0
    for path in paths:
        name = os.path.basename(path)
        notebook = nbformat.read(path, as_version=4)
        cells = sum(c.cell_type == "code" for c in notebook.cells)
        client = NotebookClient(
            notebook,
            kernel_name="gonb",
            timeout=CELL_SECONDS,
            startup_timeout=CELL_SECONDS,
            resources={"metadata": {"path": os.path.dirname(os.path.abspath(path))}},
        )
        start = time.monotonic()
        try:
            client.execute()
            why = complaint(notebook)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as e:
            why = str(e) + "\n" + (complaint(notebook) or "")
        seconds = time.monotonic() - start
        if why is None:
            print("%s: %d cells run in %.0f s" % (name, cells, seconds), flush=True)
        else:
            print("%s: FAILED after %.0f s\n%s" % (name, seconds, why), flush=True)
            bad += 1
        if into:
            nbformat.write(notebook, os.path.join(into, name))
    return bad


def complaint(notebook):
    """Returns what the first cell that wrote to standard error wrote there, or None.

    The kernel does not count a program as failed that panics or exits with a
    status: it only passes on what the program says, and the status, as text.
    The cells of these notebooks have nothing else to say on standard error.
    """
    for cell in notebook.cells:
        said = [o["text"] for o in cell.get("outputs", []) if o["output_type"] == "stream" and o["name"] == "stderr"]
        if said:
            return "cell [%s]:\n%s" % (cell.execution_count, "".join(said))
    return None


def main(args):
    if len(args) < 2 or args[0] not in ("strip", "check", "run"):
        sys.exit(__doc__)
    verb, paths, into = args[0], args[1:], ""
    if verb == "run" and paths[0] == "-o":
        into, paths = paths[1], paths[2:]
    if verb == "strip":
        strip(paths)
        return 0
    bad = check(paths) if verb == "check" else run(paths, into)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
