"""Scenario files that went wrong: mutants of the shipped ones, and text that only looks like TOML."""

import random

from traction.kinds.registry import shipped

VALUES = [
    *(
        "nan",
        "inf",
        "-inf",
        "true",
        '""',
        "[]",
        "{}",
        "-1",
        "0",
        "1e308",
        "1e-320",
        "9" * 300,
        "0x" + "f" * 300,
    ),
    *(
        '"1e999 N"',
        '"3 m^9^9"',
        '"٣ mm"',
        '"\\u001b[2J"',
        "1979-05-27",
        "[[[[1]]]]",
        "{a = {b = 1}}",
        "[nan]",
    ),
    *(
        '"../../etc/passwd"',
        '"/etc/passwd"',
        '"steel"',
        "\"__import__('os')\"",
        "8192",
        "8193",
        '"auto"',
        '"verlet"',
        '"half-space"',
        '"1 us"',
        '"0.5 rad/m"',
        '["0.1 %", "0.2 %"]',
        '[["1 ms", "2 kN"], [0.1, 0.2]]',
        '"-8 kN m"',
        '"HSLM-A3"',
        '"elements"',
        '["free", "pinned"]',
        '"all"',
        "[1, true]",
        "'''",
    ),
]
KEYS = [
    "kind",
    "grid",
    "surface",
    "load",
    "force",
    "file",
    "x",
    "type",
    "nx",
    "ball",
    "fall",
    "mass",
    "contact",
    "time",
    "dt",
    "options",
    "friction",
    "shift",
    "rolling",
    "start",
    "step",
    "at",
    "scheme",
    "spin",
    "force_x",
    "line",
    "beam",
    "span",
    "supports",
    "damping",
    "axle",
    "train",
    "speed",
    "model",
    "size",
    "wheel",
    "rail",
    "crown",
    "flat",
    "drive",
    "torque",
    "creepage",
    "wheels",
    "drop",
    "__class__",
    '""',
    "a.b.c",
    "'q'",
]
BINARY = [b"\0", b"\xff\xfe", b"\x89PNG\r\n", b"\xef\xbb\xbf", b"\r", b"\x1b[2J", b"\xed\xa0\x80"]


def mutant(seed):
    """The bytes of one file."""
    rng = random.Random(seed)
    if rng.random() < 0.15:
        return generated(rng)
    sources = [path for name, path in shipped().items() if name != "wheel-on-rail" or rng.random() < 0.1]
    content = rng.choice(sources).read_bytes()
    for _ in range(rng.randint(1, 3)):
        content = rng.choice(CHANGES)(content, rng)
    return content


def generated(rng):
    """Random text of the words that files consist of."""
    words = [
        *VALUES,
        *KEYS,
        "[",
        "]",
        "[[",
        "]]",
        "=",
        ",",
        "\n",
        "\n",
        ".",
        "#",
        '"',
        '"""',
        "{",
        "}",
        'kind = "press"',
        'kind = "bounce"',
        'kind = "impact"',
        'kind = "shift"',
        'kind = "steady"',
        'kind = "creep-table"',
        'kind = "creep-law"',
        'kind = "roll"',
        'kind = "obstacle"',
        'kind = "modes"',
        'kind = "moving-load"',
        'kind = "resonance"',
        'kind = "rest"',
        'kind = "cross"',
    ]
    return " ".join(rng.choice(words) for _ in range(rng.randint(1, 60))).encode()


def flip(content, rng):
    flipped = bytearray(content or b"\0")
    flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
    return bytes(flipped)


def swap(content, rng):
    lines = content.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def replace_value(content, rng):
    lines = content.split(b"\n")
    chosen = [number for number, line in enumerate(lines) if b"=" in line]
    if chosen:
        number = rng.choice(chosen)
        lines[number] = lines[number].partition(b"=")[0] + b"= " + rng.choice(VALUES).encode()
    return b"\n".join(lines)


def misspell(content, rng):
    lines = content.split(b"\n")
    chosen = [number for number, line in enumerate(lines) if b"=" in line]
    if chosen:
        number = rng.choice(chosen)
        key, _, value = lines[number].partition(b"=")
        key = rng.choice([key[1:], key.strip() + b"s", key[::-1], rng.choice(KEYS).encode()])
        lines[number] = key + b" =" + value
    return b"\n".join(lines)


def truncate(content, rng):
    return content[: rng.randrange(len(content) + 1)]


def insert(content, rng):
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(BINARY) + content[at:]


def nest(content, rng):
    at, deep = rng.randrange(len(content) + 1), rng.choice([3, 40, 3000])
    return content[:at] + rng.choice([b"[", b"{a=", b"a.", b"[[", b'"']) * deep + content[at:]


def line_ends(content, rng):
    return content.replace(b"\n", b"\r\n")


CHANGES = [flip, swap, replace_value, replace_value, misspell, truncate, insert, nest, line_ends]
