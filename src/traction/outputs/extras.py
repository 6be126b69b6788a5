"""Packages that are installed only by those who need them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from traction.errors import InputError


def load_extra(name: str) -> Any:
    """A package of the extra `data`; where it is missing, an `InputError` says how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(
            f"{name} is not installed; labelled data need it: pip install traction[data]"
        ) from error
