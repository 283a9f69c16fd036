#!/usr/bin/env python3
"""Executes notebooks from top to bottom, and fails if a cell does.

    execute.py [--write] [--pages DIR] NOTEBOOK...

--write stores the outputs in the notebooks, as they are committed; --pages writes each as a page.
"""

import os
import pathlib
import sys
import time

CELL_SECONDS = 300
MOST_BYTES = 1 << 20


def main(args):
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    write = "--write" in args
    pages = args[args.index("--pages") + 1] if "--pages" in args else ""
    bad = 0
    for path in [a for a in args if a.endswith(".ipynb")]:
        notebook = nbformat.read(path, as_version=4)
        start = time.monotonic()
        client = NotebookClient(notebook, kernel_name="python3", timeout=CELL_SECONDS, record_timing=False, resources={"metadata": {"path": os.path.dirname(os.path.abspath(path))}})
        try:
            client.execute()
            why = ""
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as e:
            why = str(e)
        print("%s: %s in %.0f s%s" % (os.path.basename(path), "FAILED" if why else "run", time.monotonic() - start, "\n" + why[-3000:] if why else ""), flush=True)
        bad += bool(why)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = [o for o in cell.outputs if not (o.output_type == "stream" and o.name == "stderr")]
        notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}
        text = nbformat.writes(notebook) + "\n"
        if len(text.encode()) > MOST_BYTES:
            print("%s: %d bytes are more than a notebook may have" % (os.path.basename(path), len(text.encode())))
            bad += 1
        if write and not why:
            pathlib.Path(path).write_text(text, encoding="utf-8")
        if pages:
            from nbconvert import HTMLExporter
            pathlib.Path(pages).mkdir(parents=True, exist_ok=True)
            (pathlib.Path(pages) / (pathlib.Path(path).stem + ".html")).write_text(HTMLExporter().from_notebook_node(notebook)[0], encoding="utf-8")
    return bad


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
