#!/usr/bin/env python3
"""Sign a file as minisign does, with its secret key: writes FILE.minisig, which minisign -V verifies.

    sign.py KEY FILE COMMENT        the password of the key is in IDENT_MINISIGN_PASSWORD, if it has one

The signature is Ed25519 (RFC 8032, section 5.1.6) of the BLAKE2b sum of the file, and a second one of the first and the trusted comment.
"""
import base64
import hashlib
import os
import pathlib
import struct
import sys

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Y = 4 * pow(5, P - 2, P) % P


def base_point():
    """Return the base point in extended coordinates (X, Y, Z, T)."""
    xx = (Y * Y - 1) * pow(D * Y * Y + 1, P - 2, P) % P
    x = pow(xx, (P + 3) // 8, P)
    if (x * x - xx) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    x = P - x if x % 2 else x
    return x, Y, 1, x * Y % P


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times_base(n):
    """Return the encoded point n times the base point."""
    p, q = (0, 1, 1, 0), base_point()
    while n:
        if n & 1:
            p = add(p, q)
        q, n = add(q, q), n >> 1
    z = pow(p[2], P - 2, P)
    return (p[1] * z % P | (p[0] * z % P & 1) << 255).to_bytes(32, "little")


def sign(seed, message):
    digest = hashlib.sha512(seed).digest()
    a = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    r = int.from_bytes(hashlib.sha512(digest[32:] + message).digest(), "little") % L
    point = times_base(r)
    k = int.from_bytes(hashlib.sha512(point + times_base(a) + message).digest(), "little") % L
    return point + ((r + k * a) % L).to_bytes(32, "little")


def scrypt(password, salt, operations, memory, size):
    """Return the key that libsodium's scrypt derives; its limits decide N, r and p."""
    operations, r = max(operations, 32768), 8
    most = operations // (r * 4) if operations < memory // 32 else memory // (r * 128)
    log = next((i for i in range(1, 63) if 1 << i > most // 2), 62)
    p = 1 if operations < memory // 32 else min(operations // 4 // (1 << log), 0x3FFFFFFF) // r
    return hashlib.scrypt(password, salt=salt, n=1 << log, r=r, p=p, maxmem=128 * r * (p + (1 << log) + 2) + (1 << 20), dklen=size)


def secret(path, password):
    """Return the number and the seed of a secret key."""
    data = base64.b64decode(pathlib.Path(path).read_text(encoding="utf-8").splitlines()[1])
    if len(data) != 158 or data[:2] != b"Ed" or data[4:6] != b"B2":
        sys.exit("%s is not a secret key of minisign" % path)
    rest = data[54:]
    plain = data[2:4] == bytes(2)
    if data[2:4] == b"Sc":
        operations, memory = struct.unpack("<QQ", data[38:54])
        rest = bytes(x ^ y for x, y in zip(rest, scrypt(password.encode(), data[6:38], operations, memory, len(rest))))
    number, key, check = rest[:8], rest[8:72], rest[72:]
    # A key without a password has no checksum.
    right = plain and check == bytes(32) or hashlib.blake2b(b"Ed" + number + key, digest_size=32).digest() == check
    if not right or times_base_of(key[:32]) != key[32:]:
        sys.exit("%s: the password in IDENT_MINISIGN_PASSWORD is wrong, or the key is damaged" % path)
    return number, key[:32]


def times_base_of(seed):
    """Return the public key of a seed."""
    return times_base(int.from_bytes(hashlib.sha512(seed).digest()[:32], "little") & (1 << 254) - 8 | 1 << 254)


def main(path, file, comment):
    number, seed = secret(path, os.environ.get("IDENT_MINISIGN_PASSWORD", ""))
    signature = sign(seed, hashlib.blake2b(pathlib.Path(file).read_bytes()).digest())
    whole = sign(seed, signature + comment.encode())
    encode = lambda b: base64.b64encode(b).decode()
    pathlib.Path(file + ".minisig").write_text("untrusted comment: signature of ident\n%s\ntrusted comment: %s\n%s\n" % (
        encode(b"ED" + number + signature), comment, encode(whole)), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
