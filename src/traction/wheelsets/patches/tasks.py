"""Contacts that a computation needs solved, one position by itself or many together.

The search for the height of a wheelset is a generator: it yields the contacts that it needs next as tasks,
and continues when these are solved. `solve_singly` solves them as they come; many positions can wait for
each other, and have theirs solved as one batch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from traction.errors import TractionError

Found = TypeVar("Found")


@dataclass(eq=False, kw_only=True)
class Task(ABC):
    """A contact to be solved; it keeps its solution."""

    order: ClassVar[int]  #: where there are tasks of several, those of the smallest come first
    coarse: bool = False  #: only to find a height
    singly: bool = True  #: whether it was, or is to be, solved by itself

    def solve(self) -> None:
        """Solve it by itself."""
        self.singly = True
        self.compute()

    @abstractmethod
    def compute(self) -> None:
        """Compute its solution."""


#: yields tasks, which are solved when it continues, and returns what it was asked for
Solving = Generator[Sequence[Task], None, Found]


def solve_singly(solving: Solving[Found]) -> Found:
    """Solve all tasks one by one as they come, and return what follows from them."""
    while True:
        try:
            tasks = next(solving)
        except StopIteration as end:
            found: Found = end.value
            return found
        for task in tasks:
            task.solve()


@dataclass(eq=False)
class Outcome(Generic[Found]):
    """What one of several computations that were solved together came to."""

    found: Found | None = None
    error: TractionError | None = None  #: where there is no solution
    singly: bool = False  #: whether some of its contacts were solved by themselves, coarse ones aside


def solve_together(
    solvings: Sequence[Solving[Found]], solve: Callable[[Sequence[Task]], None]
) -> list[Outcome[Found]]:
    """Solve the tasks of several computations together, as far as `solve` can, and singly where not.

    Tasks of the smallest order come first, and others wait for them, so that batches are large.
    """
    outcomes: list[Outcome[Found]] = [Outcome() for _ in solvings]
    waiting: dict[int, Sequence[Task]] = {}

    def advance(k: int) -> None:
        """Go on to the next tasks that are not coarse; these are solved at once."""
        waiting.pop(k, None)
        try:
            tasks = next(solvings[k])
            while all(task.coarse for task in tasks):
                for task in tasks:
                    task.solve()
                tasks = next(solvings[k])
            waiting[k] = tasks
        except StopIteration as end:
            outcomes[k].found = end.value
        except TractionError as error:
            outcomes[k].error = error

    for k in range(len(solvings)):
        advance(k)
    while waiting:
        first = min(tasks[0].order for tasks in waiting.values())
        chosen = {k: tasks for k, tasks in waiting.items() if tasks[0].order == first}
        together = [task for tasks in chosen.values() for task in tasks]
        for task in together:
            task.singly = True
        solve(together)
        for k, tasks in chosen.items():
            try:
                for task in tasks:
                    if task.singly:
                        task.solve()
                        outcomes[k].singly = True
            except TractionError as error:
                outcomes[k].error = error
                waiting.pop(k)
                continue
            advance(k)
    return outcomes
