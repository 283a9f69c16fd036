"""Expands a xacro file with Python's own arithmetic, as the rules of xacro say: the oracle of the tests beside it.

    python3 expand.py worker.urdf.xacro [ARG=VALUE ...] > worker.urdf
"""
import math
import os
import re
import sys
from xml.dom import minidom

FUNCTIONS = {k: v for k, v in vars(math).items() if not k.startswith("_")}
FUNCTIONS.update({f.__name__: f for f in (abs, min, max, round, len, int, float, str, bool, list, tuple, sum, any, all, sorted)})


class Entries(dict):
    __getattr__ = dict.__getitem__


def yaml(path):
    """Reads the flow style and the two levels that limits.yaml has."""
    out, into = Entries(), None
    for line in open(path):
        line = line.split("#")[0].rstrip()
        if not line:
            continue
        key, value = (s.strip() for s in line.split(":", 1))
        value = re.sub(r"!degrees (-?[\d.]+)", lambda m: repr(float(m[1]) * (math.pi / 180)), value).replace("!radians ", "")
        value = re.sub(r"(\w+):", r"'\1':", value).replace("true", "True")
        value = eval(value) if value else Entries()
        if isinstance(value, dict):
            value = Entries(value)
        if line[0] != " ":
            out[key] = into = value
        else:
            into[key] = value
    return out


def literal(v):
    if not isinstance(v, str):
        return v
    if len(v) > 1 and v[0] == v[-1] == "'":
        return v[1:-1]
    if "_" in v:
        return v
    for f in (int, float, {"true": True, "True": True, "false": False, "False": False}.__getitem__):
        try:
            return f(v)
        except (ValueError, KeyError):
            pass
    return v


class Scope:
    def __init__(self, above=None):
        self.above, self.own, self.waiting, self.macros = above, {}, {}, {}

    def __getitem__(self, name):
        s = self.home(name)
        if s is None:
            raise KeyError(name)
        if name in s.waiting:
            text, where = s.waiting.pop(name)
            s.own[name] = literal(value(text, s, where))
        return s.own[name]

    def __getattr__(self, name):
        return self[name]

    def home(self, name):
        while self is not None and name not in self.own:
            self = self.above
        return self

    def macro(self, name):
        s = self
        while s is not None and name not in s.macros:
            s = s.above
        return s and s.macros[name]

    def define(self, name, v, lazy, where):
        v = literal(v)
        self.own[name] = v
        self.waiting.pop(name, None)
        if lazy and isinstance(v, str):
            self.waiting[name] = (v, where)


ARGS = {}


def value(text, scope, where):
    parts = []
    for dollars, expression, extension, plain in re.findall(r"(\$\$+[{(])|\$\{([^}]*)\}|\$\(([^)]*)\)|((?:[^$]|\$(?![${(]))+)", text):
        if dollars:
            parts.append(dollars[1:])
        elif expression:
            tools = Entries(load_yaml=lambda f: yaml(os.path.join(where, f)))
            parts.append(eval(expression.strip(), {"__builtins__": {}, "xacro": tools, **FUNCTIONS}, scope))
        elif extension:
            word = value(extension, scope, where).split()
            parts.append(where if word[0] == "dirname" else ARGS[word[1]])
        else:
            parts.append(plain)
    return parts[0] if len(parts) == 1 else "".join(map(str, parts))


def yes(v):
    v = literal(v)
    assert not isinstance(v, str), v
    return bool(v)


def whole(n, scope, where):
    for name, text in list(n.attributes.items()):
        n.setAttribute(name, str(value(text, scope, where)))
    inside(n, scope, where)
    return [n]


def inside(n, scope, where):
    before = list(n.childNodes)
    for c in before:
        n.removeChild(c)
    for c in before:
        for x in child(c, n, scope, where):
            n.appendChild(x)


def parameters(text):
    for word in re.findall(r"(?:[^\s']|'[^']*')+", text):
        name, sep, default = word.partition("=")
        yield name.rstrip(":"), (default if sep else None)


def child(n, parent, scope, where):
    if n.nodeType == n.TEXT_NODE:
        n.data = str(value(n.data, scope, where))
        return [n]
    if n.nodeType != n.ELEMENT_NODE:
        return []
    if not n.tagName.startswith("xacro:"):
        return whole(n, scope, where)
    kind, a = n.tagName[6:], dict(n.attributes.items())
    if kind == "arg":
        ARGS.setdefault(a["name"], str(value(a["default"], scope, where)))
    elif kind == "property":
        to, lazy = scope, "scope" not in a
        if a.get("scope") == "global":
            while to.above is not None:
                to = to.above
        elif a.get("scope") == "parent":
            to = scope.above
        if "default" in a:
            if scope.home(a["name"]) is None:
                to.define(a["name"], a["default"], True, where)
        elif "value" in a:
            to.define(a["name"], a["value"] if lazy else value(a["value"], scope, where), lazy, where)
        else:
            to.own["**" + a["name"]] = n
    elif kind == "macro":
        scope.macros[a["name"]] = (n, list(parameters(a.get("params", ""))), where)
    elif kind == "include":
        path = os.path.join(where, str(value(a["filename"], scope, where)))
        if not os.path.exists(path) and a.get("optional") == "true":
            return []
        to = scope
        if "ns" in a:
            to = scope.own[a["ns"]] = Scope()
        root = minidom.parse(path).documentElement
        inside(root, to, os.path.dirname(path))
        return list(root.childNodes)
    elif kind in ("if", "unless"):
        if yes(value(a["value"], scope, where)) == (kind == "if"):
            inside(n, scope, where)
            return list(n.childNodes)
    elif kind == "insert_block":
        for stars in ("**", "*"):
            home = scope.home(stars + a["name"])
            if home is not None:
                block = home.own[stars + a["name"]].cloneNode(True)
                if stars == "*":
                    return child(block, parent, scope, where)
                inside(block, scope, where)
                return list(block.childNodes)
        raise KeyError(a["name"])
    elif kind == "element":
        n.removeAttribute("xacro:name")
        n.tagName = n.nodeName = value(a["xacro:name"], scope, where)
        return whole(n, scope, where)
    elif kind == "attribute":
        parent.setAttribute(value(a["name"], scope, where), str(value(a["value"], scope, where)))
    else:
        if kind == "call":
            kind = str(value(a.pop("macro"), scope, where))
        body, params, home = scope.macro(kind)
        own = Scope(scope)
        inside(n, scope, where)
        blocks = [c for c in n.childNodes if c.nodeType == c.ELEMENT_NODE]
        for name, default in params:
            if name[0] == "*":
                own.own[name] = blocks.pop(0)
            elif name in a:
                own.define(name, value(a.pop(name), scope, where), False, home)
            elif default.startswith("^") and scope.home(name):
                own.define(name, scope[name], False, home)
            else:
                own.define(name, value(default.removeprefix("^|"), scope, where), False, home)
        assert not a and not blocks, (kind, a, blocks)
        body = body.cloneNode(True)
        inside(body, own, home)
        return list(body.childNodes)
    return []


def bare(n):
    """Leaves white space between elements out."""
    for c in list(n.childNodes):
        if c.nodeType == c.TEXT_NODE and not c.data.strip():
            n.removeChild(c)
        else:
            bare(c)


if __name__ == "__main__":
    for pair in sys.argv[2:]:
        name, _, text = pair.partition("=")
        ARGS[name] = text
    doc = minidom.parse(sys.argv[1])
    whole(doc.documentElement, Scope(), os.path.dirname(os.path.abspath(sys.argv[1])))
    doc.documentElement.removeAttribute("xmlns:xacro")
    for c in list(doc.childNodes):
        if c is not doc.documentElement:
            doc.removeChild(c)
    bare(doc.documentElement)
    sys.stdout.write(doc.toprettyxml(indent="  "))
