"""Public functions and classes say what they take and return: no `Any` in a signature."""

from public_interface import functions_of, public_objects


def test_no_public_signature_holds_any():
    signatures = {
        f"{where}, {parameter}": str(kind)
        for name, value in public_objects()
        for where, function in functions_of(name, value)
        for parameter, kind in getattr(function, "__annotations__", {}).items()
    }
    assert len(signatures) > 800
    assert [words for words, kind in signatures.items() if "Any" in kind] == []
