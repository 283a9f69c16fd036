"""score.py RAW: what the program said of each run, beside expected.json. Prints the table of README.md."""
import collections
import json
import os
import re
import sys
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
# These say what the motion or the check cannot show. They name no fault, and are no lead.
NO_LEAD = re.compile("skipped|excitation-")
ORDER = ["right", "kin", "unexplained, right class", "unexplained, no class", "unexplained, wrong class", "wrong", "silent"]


def said_class(f):
    text = f.get("class", "")
    if re.search("state|static|robot", text):
        return "static"
    if "time" in text:
        return "in-time"
    return "open"


def verdict(e, raw):
    lead = next((f for f in raw["check"]["findings"] if f["severity"] != "info" and not NO_LEAD.match(f["id"])), None)
    if raw["check"]["exit"] == "timeout":
        return "silent", "timeout"
    if lead is None:
        if not raw["check"]["findings"] and raw["check"].get("message"):
            return "silent", "failed: " + raw["check"]["message"]
        return "silent", ""
    named = {int(x) for x in re.findall(r"j(\d+)", lead.get("joint", ""))}
    text = " ".join([lead["id"], lead.get("joint", ""), lead.get("class", "")]).strip()
    if e["joints"] and named and not named & set(e["joints"]):
        return "wrong", text + " (wrong joint)" * (lead["id"] in e["allowed"] + e["kin"])
    if lead["id"] == "unexplained" and lead["id"] in e["allowed"]:
        c = said_class(lead)
        if c == "open":
            return ORDER[2 if e["class"] == "either" else 3], text
        return ORDER[2 if e["class"] in (c, "either") else 4], text
    if lead["id"] in e["allowed"]:
        return "right", text
    if lead["id"] in e["kin"]:
        return "kin", text
    if lead["id"] == "unexplained":  # the fault has a name, and the program did not find it
        c = said_class(lead)
        return ORDER[3 if c == "open" and e["class"] != "either" else 2 if c == "open" or e["class"] in (c, "either") else 4], text
    return "wrong", text


def interval(rows, seed=1):
    """interval of the share of wrong leads: a bootstrap over kinds, whose runs are alike."""
    kinds = collections.defaultdict(list)
    for e, v, _, _ in rows:
        kinds[e["kind"]].append(v == "wrong")
    lists, r = list(kinds.values()), np.random.default_rng(seed)
    draws = [np.mean(np.concatenate([lists[i] for i in r.integers(len(lists), size=len(lists))])) for _ in range(4000)]
    return np.percentile(draws, [2.5, 97.5]) * 100


def table(title, groups):
    print(f"\n| {title} | runs | " + " | ".join(ORDER) + " |\n|" + "---|" * (len(ORDER) + 2))
    for name, rows in groups:
        n = collections.Counter(v for _, v, _, _ in rows)
        print(f"| {name} | {len(rows)} | " + " | ".join(str(n[o]) for o in ORDER) + " |")


def by(rows, key):
    g = collections.OrderedDict()
    for r in rows:
        g.setdefault(str(key(r[0])), []).append(r)
    return list(g.items())


if __name__ == "__main__":
    raw = {x["run"]: x for x in map(json.loads, open(sys.argv[1]))}
    expected = [json.loads(x) for x in open(os.path.join(HERE, "expected.json"))]
    rows = [(e, *verdict(e, raw[e["run"]]), raw[e["run"]]) for e in expected if e["kind"] != "sound"]
    new, old = [r for r in rows if r[0]["new"]], [r for r in rows if not r[0]["new"]]
    table("all", [("all", rows), ("new kinds", new), ("kinds of the list", old)])
    for name, part in (("all", rows), ("new", new), ("of the list", old)):
        a, b = interval(part)
        print(f"\nWrong leads, {name}: {100 * np.mean([v == 'wrong' for _, v, _, _ in part]):.1f} % [{a:.1f}, {b:.1f}] (95 %, kinds drawn again).")
    silent = [r for r in rows if r[1] == "silent"]
    for name, part in (("new", [r for r in silent if r[0]["new"]]), ("of the list", [r for r in silent if not r[0]["new"]])):
        n = collections.Counter(str(r[3]["fit"]["grade"]) for r in part)
        print(f"\nSilent, {name}: {len(part)}; grade of the fit: " + ", ".join(f"{k} {v}" for k, v in sorted(n.items())) + ".")
    table("kind", [(("new: " if g[0][0]["new"] else "") + k, g) for k, g in by(rows, lambda e: e["kind"])])
    table("robot", by(rows, lambda e: e["robot"]))
    table("size", by(rows, lambda e: e["size"]))
    print("\nRuns with a wrong lead, a wrong class, or silence:\n")
    for e, v, text, x in rows:
        if v in ("wrong", "silent", ORDER[4]):
            print(f"- {e['run']} (joints {e['joints']}, error {e['harm'][0]:.3f} → {e['harm'][1]:.3f}): {v}" + (f": {text}" if text else "") + f"; fit {x['fit']['grade']}")
    print("\nSound logs:\n")
    count = collections.Counter()
    for e in expected:
        if e["kind"] == "sound":
            x = raw[e["run"]]
            loud = [f for f in x["check"]["findings"] if f["severity"] != "info"]
            worst = "error" if any(f["severity"] == "error" for f in loud) else "warning" if loud else "quiet"
            count[worst] += 1
            count["fit " + str(x["fit"]["grade"])] += 1
            if loud or x["fit"]["grade"] != "sound":
                print(f"- {e['run']}: " + ", ".join(f"{f['id']} {f.get('joint', '')} ({f['severity']})" for f in loud) + f"; fit {x['fit']['grade']} {','.join(x['fit']['reasons'])}")
    print("\n" + ", ".join(f"{k}: {v}" for k, v in sorted(count.items())) + ".")
    slow = sorted(raw.values(), key=lambda x: -x["check"]["seconds"])[0]
    print(f"\nSlowest check {slow['check']['seconds']} s ({slow['run']}); timeouts: {sum(x[p]['exit'] == 'timeout' for x in raw.values() for p in ('check', 'fit'))}.")
