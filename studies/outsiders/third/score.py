"""score.py FOLDER OUT prints how the leading findings compare with what is expected."""
import collections, json, sys
folder, out = sys.argv[1:3]
verbose = "-v" in sys.argv
rows = {r["run"]: r for r in map(json.loads, open(out))}
total, kinds = collections.Counter(), collections.defaultdict(collections.Counter)
for w in json.load(open(f"{folder}/expected.json")):
    r = rows.get(w["run"])
    if r is None or not w.get("harmful", True): continue
    lead = next((f for f in r.get("findings", []) if f["severity"] != "info"), None)
    say = lead and f'{lead["severity"]} {lead["id"]} {lead.get("channel","")} {lead.get("class","")} {lead.get("group","")}: {lead["why"]}'
    if "findings" not in r: c = "refused"; say = r.get("stderr")
    elif w["kind"] == "sound": c = "sound silent" if lead is None else "sound warned"
    elif lead is None:
        c = "silent, " + str((r.get("grade") or {}).get("value"))
        say = str(r.get("reasons") or r.get("fiterr"))[:300]
    elif lead["id"] in w["names"] or set(lead.get("group", [])) & set(w["names"]): c = "name"
    elif lead["id"] == "unexplained":
        said = lead.get("class", "")
        c = "unexplained" if not w["cls"] or said in ("", "unclear", w["cls"]) else "class wrong"
    elif lead["id"] in w["kin"]: c = "kin"
    else: c = "wrong"
    total[("sound " if w["kind"] == "sound" else "fault ") + c] += 1; kinds[w["kind"]][c] += 1
    if verbose and c not in ("name", "sound silent"):
        print(f'{c:16} {w["run"]:28} {w.get("style")} size {w.get("size")} j{w.get("joint")} {w.get("sound")}→{w.get("error")}\n      {say}')
print(dict(total)); n = sum(v for k, v in total.items() if k.startswith("fault"))
for k, v in sorted(total.items()): print(f"{k:28} {v:4} {100*v/n if k.startswith('fault') else 0:.1f}")
if "-k" in sys.argv:
    for k, c in kinds.items(): print(k.ljust(16), dict(c))
