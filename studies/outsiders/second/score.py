"""score.py prints by kind how the leading findings of raw.jsonl compare with expected.json."""
import collections
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = ("name", "class ok", "class unclear", "class wrong", "kin", "wrong", "silent")


def outcome(want, row):
    """outcome returns the column of a run and its leading finding, the first above info."""
    if "findings" not in row:
        return "refused", ""
    lead = next((f for f in row["findings"] if f["severity"] != "info"), None)
    if want["kind"] == "sound":
        return ("silent" if lead is None else "wrong"), lead and lead["severity"] + " " + lead["id"]
    if lead is None:
        return "silent", ""
    name = lead["id"]
    if name in want["allowed"]:
        return "name", name
    if name == "unexplained":
        said = lead.get("class", "unclear")
        if want["class"] == "either" or said == want["class"]:
            return "class ok", said
        return ("class unclear" if said not in ("static", "in-time") else "class wrong"), said
    return ("kin" if name in want["kin"] else "wrong"), name


def main():
    raw = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "raw.jsonl")
    rows = {r["run"]: r for r in map(json.loads, open(raw))}
    table, leads = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for want in json.load(open(os.path.join(HERE, "expected.json"))):
        if want["run"] not in rows:
            continue
        column, name = outcome(want, rows[want["run"]])
        table[want["kind"]][column] += 1
        if column in ("wrong", "kin", "class wrong"):
            leads[want["kind"]][name] += 1
    print("kind".ljust(17), *(c.rjust(13) for c in COLUMNS))
    for kind, c in table.items():
        print(kind.ljust(17), *(str(c[x]).rjust(13) for x in COLUMNS), "", ", ".join(f"{k} {v}" for k, v in leads[kind].items()))
    total = sum((c for k, c in table.items() if k != "sound"), collections.Counter())
    print("all harmful".ljust(17), *(str(total[x]).rjust(13) for x in COLUMNS), "", "refused", sum(c["refused"] for c in table.values()))


if __name__ == "__main__":
    main()
