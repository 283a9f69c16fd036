#!/usr/bin/env python3
"""Packs files so that equal files give equal bytes: order, times, owners and modes are fixed.

    pack.py tar OUT.tar.gz PREFIX FOLDER         an archive of a folder, below PREFIX
    pack.py zip OUT.zip PREFIX FOLDER            the same
    pack.py wheel PURE.whl FOLDER TAGS PROGRAM   a wheel for the platforms TAGS (a.b.c) with the program inside; prints its path
    pack.py sums FOLDER                          FOLDER/SHA256SUMS of the files of a folder that one run made; an empty one is an error

SOURCE_DATE_EPOCH is the time of all entries.
"""

import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import sys
import tarfile
import time
import zipfile

EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "315619200"))


def files(folder):
    root = pathlib.Path(folder)
    return [(p.relative_to(root).as_posix(), p) for p in sorted(root.rglob("*")) if p.is_file()]


def mode(path):
    return 0o755 if os.access(path, os.X_OK) and path.name in ("ident", "ident.exe") else 0o644


def tar(out, prefix, folder):
    with open(out, "wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=EPOCH) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, path in files(folder):
            info = tarfile.TarInfo(prefix + "/" + name)
            info.size, info.mtime, info.mode = path.stat().st_size, EPOCH, mode(path)
            with open(path, "rb") as f:
                archive.addfile(info, f)


def add(archive, name, data, bits):
    info = zipfile.ZipInfo(name, time.gmtime(EPOCH)[:6])
    info.external_attr, info.create_system, info.compress_type = (0o100000 | bits) << 16, 3, zipfile.ZIP_DEFLATED
    archive.writestr(info, data, compresslevel=9)


def zip_(out, prefix, folder):
    with zipfile.ZipFile(out, "w") as archive:
        for name, path in files(folder):
            add(archive, prefix + "/" + name, path.read_bytes(), mode(path))


def shown(metadata):
    """Return metadata whose licence and home page pip show prints in every version: before 25 and 24 it reads the older fields alone."""
    head, blank, text = metadata.partition("\n\n")
    head = re.sub(r"^License-Expression: ", "License: ", head, flags=re.M)
    head = re.sub(r"^(Project-URL: Homepage, (.*))$", r"Home-page: \2\n\1", head, flags=re.M)
    return head + blank + text


def wheel(pure, folder, tags, program):
    entries = {}
    with zipfile.ZipFile(pure) as source:
        for name in source.namelist():
            entries[name] = (source.read(name), 0o644)
    info = next(n for n in entries if n.endswith(".dist-info/WHEEL"))
    lines = [line for line in entries[info][0].decode().splitlines() if line and not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    lines += ["Root-Is-Purelib: false"] + ["Tag: py3-none-" + t for t in tags.split(".")]
    entries[info] = ("\n".join(lines) + "\n", 0o644)
    entries["ident_robotics/_bin/" + os.path.basename(program)] = (pathlib.Path(program).read_bytes(), 0o755)
    about = info.replace("WHEEL", "METADATA")
    entries[about] = (shown(entries[about][0].decode()), 0o644)
    record = info.replace("WHEEL", "RECORD")
    del entries[record]
    out = pathlib.Path(folder) / pathlib.Path(pure).name.replace("none-any", "none-" + tags)
    rows = io.StringIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in sorted(entries, key=lambda n: (".dist-info/" in n, n)):
            data, bits = entries[name]
            data = data.encode() if isinstance(data, str) else data
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.write("%s,sha256=%s,%d\n" % (name, digest, len(data)))
            add(archive, name, data, bits)
        rows.write("%s,,\n" % record)
        add(archive, record, rows.getvalue(), 0o644)
    print(out)


def sums(folder):
    lines = []
    for path in sorted(pathlib.Path(folder).iterdir()):
        if path.is_file() and path.name != "SHA256SUMS":
            if path.stat().st_size == 0:
                sys.exit("%s is empty: it was not made whole" % path)
            lines.append("%s  %s\n" % (hashlib.sha256(path.read_bytes()).hexdigest(), path.name))
    (pathlib.Path(folder) / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("tar", "zip", "wheel", "sums"):
        sys.exit(__doc__)
    {"tar": tar, "zip": zip_, "wheel": wheel, "sums": sums}[sys.argv[1]](*sys.argv[2:])
