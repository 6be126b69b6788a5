"""Changes of runs, for all who follow them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Follower:
    """One who follows runs: which have changed since the last look."""

    def __init__(self, key: str | None) -> None:
        self.key = key  #: of the only run that matters; None for all
        self._changed: set[str] = set()
        self._news = asyncio.Event()

    def notice(self, key: str) -> None:
        """Note a change."""
        if self.key in (None, key):
            self._changed.add(key)
            self._news.set()

    async def wait(self, seconds: float) -> set[str]:
        """Runs that have changed; none where nothing happens for so long."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return set()
        found, self._changed = self._changed, set()
        self._news.clear()
        return found


class Changes:
    """Tells followers which runs have changed; a slow one misses steps between, never the last."""

    def __init__(self) -> None:
        self._followers: set[Follower] = set()

    def __len__(self) -> int:
        return len(self._followers)

    def tell(self, key: str) -> None:
        """A run has changed."""
        for follower in self._followers:
            follower.notice(key)

    @contextmanager
    def follow(self, key: str | None = None) -> Iterator[Follower]:
        """Follow one run, or all."""
        follower = Follower(key)
        self._followers.add(follower)
        try:
            yield follower
        finally:
            self._followers.discard(follower)
