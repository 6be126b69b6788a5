"""`show_work`: one bar for all phases of a command, and lines above it; `WorkClock`: how far they are."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.progress_bar import ProgressBar
from rich.text import Text

from traction.app.terminal import columns_of, fit
from traction.results.recorder import COMPUTING, EVALUATING, WRITING

if TYPE_CHECKING:
    from rich.console import RenderableType

MOST = 0.99  #: shown of work that has not ended
COMPILING, DRAWING = "compiling", "drawing"
#: phases with the seconds that they usually take; those of computing are learnt while it proceeds
RUNNING = {COMPUTING: 5.0, EVALUATING: 0.5, WRITING: 0.5, DRAWING: 8.0}
SWEEPING = {COMPUTING: 5.0, DRAWING: 2.0}
UNITS = {DRAWING: "figures"}  #: of what phases count, where it is not that of the work
LONGEST_PHASE = max(map(len, (COMPILING, *RUNNING)))
BAR = 24  #: columns
MINUTE = 60.0

Show = Callable[[float, int], None]  #: takes what is completed, and the total


class WorkClock:
    """A share of 1 that grows with every phase and is below 1 until the work has ended.

    `phases` are names with the seconds that they are expected to take. A phase that counts its parts is
    extrapolated from those completed since its first count, before which a program loads and compiles; one
    that does not count approaches its end without reaching it. Of the first phase nothing is known before it
    has counted: `share` is 0 and `remaining` None.
    """

    def __init__(self, phases: Mapping[str, float], clock: Callable[[], float] = time.monotonic) -> None:
        self._expected, self._clock = dict(phases), clock
        self.phase = next(iter(phases))
        self._began = self._phase_began = clock()
        self._first: tuple[float, float] | None = None  # share of the phase at its first count, and when
        self._last: tuple[float, float] | None = None  # the same at its last one
        self._paused: float | None = None  # since when kernels are compiled, which no share foresees
        self._shown = 0.0

    def begin(self, phase: str) -> None:
        """The phase of that name begins, and those before it are over."""
        self.phase, self._phase_began = phase, self._clock()
        self._first = self._last = None

    def count(self, completed: float, total: float) -> None:
        """So many parts of the phase are completed."""
        self._last = (completed / max(total, 1), self._clock())
        self._first = self._first or self._last

    def pause(self, paused: bool) -> None:
        """Time that passes in a pause says nothing about the rest of the phase."""
        now = self._clock()
        if paused and self._paused is None:
            self._paused = now
        elif not paused and self._paused is not None:
            lost = now - self._paused
            self._phase_began += lost
            self._first = None if self._first is None else (self._first[0], self._first[1] + lost)
            self._last = None if self._last is None else (self._last[0], self._last[1] + lost)
            self._paused = None

    @property
    def is_paused(self) -> bool:
        """Whether kernels are being compiled."""
        return self._paused is not None

    @property
    def remaining(self) -> float | None:
        """Seconds that are expected until the end of the last phase; None where nothing is known yet."""
        now = self._clock() if self._paused is None else self._paused
        rest = self._remaining_of_phase(now)
        if rest is None:
            return None
        names = list(self._expected)
        later = names[names.index(self.phase) + 1 :] if self.phase in names else []
        return rest + sum(self._expected[name] for name in later)

    def _remaining_of_phase(self, now: float) -> float | None:
        if self._first is not None and self._last is not None:
            (share, then), (completed, at) = self._first, self._last
            if completed >= 1.0:
                return 0.0
            if completed > share:
                return max(0.0, (at - then) * (1.0 - completed) / (completed - share) - (now - at))
        if self.phase == next(iter(self._expected)):
            return None
        expected = self._expected.get(self.phase) or 1.0
        return expected * math.exp(-(now - self._phase_began) / expected)

    @property
    def share(self) -> float:
        """How far the work is; it never falls."""
        spent, remaining = self._clock() - self._began, self.remaining
        if remaining is not None:
            self._shown = min(MOST, max(self._shown, spent / (spent + remaining + 1e-9)))
        return self._shown


class WorkDisplay:
    """What the terminal shows of work: its phase, how far it is, and lines about it."""

    def __init__(self, phases: Mapping[str, float], unit: str, console: Console, counting: bool) -> None:
        self.clock = WorkClock(phases)
        self._console, self._unit, self._counting = console, unit, counting
        self._is_drawn, self._tenth, self.counts = False, -1, ""

    def phase(self, name: str) -> None:
        """The phase of that name begins."""
        if name == self.clock.phase:
            return
        self.clock.begin(name)
        self.counts, self._tenth = "", -1
        self._unit = UNITS.get(name, self._unit)
        if self._counting and not self._is_drawn:
            self.tell(name)

    def show(self, completed: float, total: int) -> None:
        """So much of the phase is completed; where there is no terminal, a line for each tenth."""
        self.clock.count(completed, total)
        self.counts = f"{int(completed)} of {total} {self._unit}"
        tenth = int(10 * completed // max(total, 1))
        if tenth > self._tenth:
            self._tenth = tenth
            if self._counting and not self._is_drawn and self.clock.phase not in UNITS:
                self.tell(f"{self.clock.phase}: {self.counts}")

    def tell(self, line: str) -> None:
        """A line on standard error, above the bar."""
        if not self._console.quiet:
            text = fit(line, columns_of(sys.stderr))
            self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def row(self, line: Text) -> None:
        """A line on standard output, at once; with its colours on a terminal."""
        if self._console.quiet:
            return
        if self._is_drawn and sys.stdout.isatty():  # above the bar, on the same terminal
            self._console.print(line, soft_wrap=True)
        else:
            Console(soft_wrap=True).print(line)
            sys.stdout.flush()

    @property
    def phase_shown(self) -> str:
        """The phase in which the work is, or that kernels are being compiled."""
        return COMPILING if self.clock.is_paused else self.clock.phase

    @contextmanager
    def drawn(self) -> Iterator[None]:
        """Draw the bar meanwhile."""
        columns = (
            SpinnerColumn(),
            _PhaseColumn(self),
            _ShareColumn(self),
            TextColumn("{task.fields[work].counts}"),
            _RemainingColumn(self),
        )
        with Progress(*columns, console=self._console, transient=True) as bar:
            bar.add_task("", total=None, work=self)
            self._is_drawn = True
            yield


class _WorkColumn(ProgressColumn):
    def __init__(self, work: WorkDisplay) -> None:
        super().__init__()
        self._work = work


class _PhaseColumn(_WorkColumn):
    def render(self, task: Task) -> RenderableType:
        return Text(f"{self._work.phase_shown:<{LONGEST_PHASE}}")


class _ShareColumn(_WorkColumn):
    def render(self, task: Task) -> RenderableType:
        share = self._work.clock.share
        return ProgressBar(
            total=1.0, completed=share, width=BAR, pulse=not share, animation_time=task.elapsed
        )


class _RemainingColumn(_WorkColumn):
    def render(self, task: Task) -> RenderableType:
        seconds = self._work.clock.remaining
        if seconds is None or self._work.clock.is_paused or seconds < 1.0:
            return Text("")
        words = f"{seconds:.0f} s" if seconds < MINUTE else f"{seconds / MINUTE:.0f} min"
        return Text(f"about {words} left", style="dim")


@contextmanager
def show_work(
    *, silent: bool, phases: Mapping[str, float] = RUNNING, unit: str = "samples", counting: bool = True
) -> Iterator[WorkDisplay]:
    """Show work on standard error: a bar on a terminal; else, with `counting`, a line for each tenth.

    The bar covers all `phases` and is removed at the end, so that it never rests at 100 %.
    """
    console = Console(stderr=True, quiet=silent)
    work = WorkDisplay(phases, unit, console, counting)
    if silent or not console.is_terminal:
        yield work
        return
    from traction.compiled.compile_progress import observe_compiling

    with observe_compiling(work.clock.pause), work.drawn():
        yield work
