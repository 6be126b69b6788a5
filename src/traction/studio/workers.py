"""Processes that carry out a sweep at the same time."""

from __future__ import annotations

import os
from collections.abc import Mapping

from traction.studio.refusal import RefusedError

MOST_WORKERS = max(1, os.cpu_count() or 1)


def read_workers(given: Mapping[str, object]) -> int:
    """Their number in a request or an order."""
    workers = given.get("workers", 1)
    if isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= MOST_WORKERS:
        raise RefusedError(400, f"workers must be a whole number from 1 to {MOST_WORKERS}.")
    return workers
