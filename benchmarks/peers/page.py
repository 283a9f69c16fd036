"""The page docs/peers.md, from what the judge measured."""

from __future__ import annotations

import pathlib
import platform
import re

HERE = pathlib.Path(__file__).resolve().parent


def text(keep: dict, titles: dict[str, str]) -> str:
    """Return the page."""
    return "\n".join([*head(keep, titles), *unseen(keep, titles)]) + "\n"


def head(keep: dict, titles: dict[str, str]) -> list[str]:
    return ["# Beside other tools", ""]


def cell(c: dict | None) -> str:
    if c is None:
        return "not measured"
    return "–" if "reason" in c else "%.3g %%" % c["error"]


def unseen(keep: dict, titles: dict[str, str]) -> list[str]:
    table = keep.get("unseen", {})
    peers = [p for p in titles if any(p in row for row in table.values())]
    out = ["## Error on motion not seen", "", "| log | split | %s |" % " | ".join(titles[p] for p in peers), "|---|---|%s" % ("---|" * len(peers))]
    for log, row in table.items():
        out.append("| %s | %s | %s |" % (log, row["split"], " | ".join(", ".join(cell(row.get(p, {}).get(k)) for k in ("own", "given")) for p in peers)))
    return [*out, ""]
