"""Comparison of two fingerprints: bit-identical, within rounding, different, missing or new."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

ROUNDING = 1e-12  #: difference over the largest magnitude of an array that counts as rounding
IDENTICAL, ROUNDED, DIFFERENT, MISSING, NEW = "identical", "within 1e-12", "different", "missing", "new"
ORDER = (IDENTICAL, ROUNDED, NEW, MISSING, DIFFERENT)  #: from best to worst
SEPARATOR = "::"  #: between the names of a case and of its array
#: arrays that would vanish without rounding: they count against the largest array beside them, as energies do
REMAINDERS = ("residual", "imbalance", "numerical")
#: shares of something else, which likewise vanish: they count against 1
SHARES = ("closure", "drift", "error", "lacks, of the work done", "certificate.force", "certificate.pressure")


@dataclass(frozen=True)
class Finding:
    """What became of one case."""

    case: str
    verdict: str  #: the worst of its arrays
    difference: float = 0.0  #: the largest, over the largest magnitude of its array
    words: str = ""  #: which array, and how it differs


def compare(old: Mapping[str, np.ndarray], new: Mapping[str, np.ndarray]) -> list[Finding]:
    """A finding for each case of either fingerprint; keys are CASE::ARRAY."""
    first, second = by_case(old), by_case(new)
    return [_case(name, first.get(name), second.get(name)) for name in sorted({*first, *second})]


def by_case(arrays: Mapping[str, np.ndarray]) -> dict[str, dict[str, np.ndarray]]:
    """Arrays by their case."""
    cases: dict[str, dict[str, np.ndarray]] = {}
    for key in arrays:
        case, _, name = key.partition(SEPARATOR)
        cases.setdefault(case, {})[name] = arrays[key]
    return cases


def compare_arrays(old: np.ndarray, new: np.ndarray, size: float = 0.0) -> tuple[str, float, str]:
    """Verdict, relative difference and words for two arrays; not a number equals not a number.

    `size` is the magnitude that differences count against, where that of the arrays is smaller.
    """
    if old.shape != new.shape:
        return DIFFERENT, np.inf, f"shape {old.shape} became {new.shape}"
    if old.dtype.kind in "US" or new.dtype.kind in "US":
        same = old.dtype.kind == new.dtype.kind and bool((old == new).all())
        return (IDENTICAL, 0.0, "") if same else (DIFFERENT, np.inf, f"{_text(old)} became {_text(new)}")
    if old.dtype != new.dtype:
        return DIFFERENT, np.inf, f"type {old.dtype} became {new.dtype}"
    if _bits(old) == _bits(new):
        return IDENTICAL, 0.0, ""
    difference = relative_difference(old, new, size)
    return (ROUNDED if difference <= ROUNDING else DIFFERENT), difference, ""


def relative_difference(old: np.ndarray, new: np.ndarray, size: float = 0.0) -> float:
    """Largest difference over the largest finite magnitude or `size`; infinite where one alone is finite."""
    kind = complex if "c" in (old.dtype.kind, new.dtype.kind) else float
    a, b = old.astype(kind).ravel(), new.astype(kind).ravel()
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    if same.all():
        return 0.0
    if not (np.isfinite(a[~same]).all() and np.isfinite(b[~same]).all()):
        return np.inf
    sizes = np.abs(np.r_[a[np.isfinite(a)], b[np.isfinite(b)]])
    return float(np.abs(a[~same] - b[~same]).max() / max(sizes.max(), size))


def size_beside(name: str, arrays: Mapping[str, np.ndarray]) -> float:
    """The magnitude that an array of a case counts against beside its own."""
    if name.endswith(SHARES):
        return 1.0
    parent, _, last = name.rpartition(".")
    if last not in REMAINDERS:
        return 0.0
    beside = [
        one for key, one in arrays.items() if key.rpartition(".")[0] == parent and one.dtype.kind == "f"
    ]
    return max((float(np.abs(one[np.isfinite(one)]).max(initial=0.0)) for one in beside), default=0.0)


def failed(findings: list[Finding], *, exact: bool = False) -> bool:
    """Whether anything differs by more than rounding, or at all."""
    accepted = (IDENTICAL,) if exact else (IDENTICAL, ROUNDED)
    return any(finding.verdict not in accepted for finding in findings)


def report(findings: list[Finding]) -> list[str]:
    """A line for each case that is not identical, and a summary."""
    changed = [finding for finding in findings if finding.verdict != IDENTICAL]
    lines = [_line(finding) for finding in sorted(changed, key=lambda one: ORDER.index(one.verdict))]
    counts = {verdict: sum(one.verdict == verdict for one in findings) for verdict in ORDER}
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    return [*lines, f"{len(findings)} cases: {told or 'nothing to compare'}"]


def _line(finding: Finding) -> str:
    size = f"  {finding.difference:.1e}" if finding.verdict in (ROUNDED, DIFFERENT) else ""
    return f"{finding.verdict:<12}{size}  {finding.case}  {finding.words}".rstrip()


def _case(name: str, old: dict[str, np.ndarray] | None, new: dict[str, np.ndarray] | None) -> Finding:
    if old is None:
        return Finding(name, NEW)
    if new is None:
        return Finding(name, MISSING)
    worst = Finding(name, IDENTICAL)
    for key in [*old, *(key for key in new if key not in old)]:
        found = _array(name, key, old.get(key), new.get(key), size_beside(key, old))
        worst = max(worst, found, key=_badness)
    return worst


def _array(case: str, name: str, old: np.ndarray | None, new: np.ndarray | None, size: float) -> Finding:
    """An array that only one of them has makes the case different."""
    if old is None or new is None:
        text = _text(new) if new is not None and name == "error" else ""
        return Finding(
            case, DIFFERENT, np.inf, f"{name}: {'new' if old is None else 'missing'} {text}".rstrip()
        )
    verdict, difference, words = compare_arrays(old, new, size)
    return Finding(case, verdict, difference, f"{name}: {words}" if words else name)


def _badness(finding: Finding) -> tuple[int, float, bool]:
    return ORDER.index(finding.verdict), finding.difference, finding.words.startswith("error")


def _bits(array: np.ndarray) -> bytes:
    """The bytes of an array, all that is not a number made alike."""
    if array.dtype.kind == "c":
        return _bits(array.reshape(-1).view(array.real.dtype))
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.nan, array).astype(array.dtype)
    return array.tobytes()


def _text(array: np.ndarray) -> str:
    text = str(array.item() if array.ndim == 0 else array.tolist())
    return text if len(text) <= 200 else f"{text[:200]} ..."
