"""`ContactCrossing`: crossings in elastic contact, with approaches, patches, energies and spectra."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.crossing.results.crossing import Crossing, wheel_roughness
from traction.crossing.results.crossing_certificate import CrossingCertificate
from traction.crossing.results.energies import ENERGIES, Energies
from traction.crossing.results.wheel_rolling import WheelRolling
from traction.crossing.wheel_contact import WheelContact, contact_period
from traction.errors import InputError
from traction.outputs.variable import Variable, data
from traction.quantities import counted, indexed
from traction.signals.spectra import Spectrum, spectrum
from traction.theory.hertz_contacts import EllipseContact, LineContact, NoContact


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ContactCrossing(Crossing):
    """Result of `tr.cross` with elastic contact (Hertz, half space or a law).

    Vehicles count from rest on a level rigid track, where each contact already has its approach at rest.
    With residual=True wheels have felt the residual compliance of the neglected modes.
    """

    approach: np.ndarray  #: of wheel and deflected track, negative in flight, m, (times, wheels)
    contacts: tuple[WheelContact, ...]  #: contact of each wheel, at rest
    ledger: Callable[[], Energies] = field(repr=False)  #: computes the energies
    driven: tuple[WheelRolling | None, ...] = ()  #: of each wheel; None for those without a `tr.Drive`

    @property
    def solved(self) -> bool:
        """Whether the contact was solved on a grid."""
        return self.contacts[0].grid is not None

    def _measure_step(self) -> CrossingCertificate:
        masses = self.cars.mass[self.cars.coordinate]
        return replace(
            super()._measure_step(),
            force_roughness=wheel_roughness(self),
            steps_per_contact_period=contact_period(masses, self.contacts) / self.dt,
        )

    def patch(self, t: float, wheel: int = 0) -> NormalContact | EllipseContact | LineContact | NoContact:
        """Return the contact patch of a `wheel` at the stored time nearest to `t` (s), recomputed.

        A `tr.NormalContact` of the half space, or Hertz's ellipse, in coordinates of the wheel; empty in
        flight.
        """
        time = checks.finite("t", t, "s")
        if not self.t[0] <= time <= self.t[-1]:
            raise InputError(f"t = {time} s must lie in {self.t[0]} to {self.t[-1]} s, the times of the run.")
        k = self._wheel(wheel)
        n = int(np.argmin(np.abs(self.t - time)))
        return self.contacts[k].patch(float(self.approach[n, k]))

    def force_spectrum(self, wheel: int = 0) -> Spectrum:
        """Return the amplitude spectrum of the contact force (N) of a `wheel`.

        `.dominant()` returns its peaks.
        """
        return replace(spectrum(self.t, self.contact_forces[:, self._wheel(wheel)]), unit="N")

    def rolling(self, wheel: int = 0) -> WheelRolling:
        """Return creepage, tractions, stick and slip of a driven or braked `wheel`."""
        k = self._wheel(wheel)
        found = self.driven[k] if self.driven else None
        if found is None:
            raise InputError(f"{indexed('wheel', k)} is not driven: give drive=tr.Drive(...) to tr.cross.")
        return found

    def _wheel_variables(self) -> Iterator[Variable]:
        yield from super()._wheel_variables()
        yield data("approach", self.approach, "m", "approach of wheel and track", "time", "wheel")
        for name, words in ENERGIES.items():
            yield data(f"energy_{name}", self._energy(name), "J", words, "time")

    def _energy(self, name: str) -> Callable[[], np.ndarray]:
        return lambda: np.asarray(getattr(self.energies, name))

    def _wheel(self, wheel: int) -> int:
        k = checks.count("wheel", wheel, 0)
        if k >= len(self.contacts):
            raise InputError(
                f"wheel = {k}: the train has {counted(len(self.contacts), 'wheel')}, counted from 0."
            )
        return k
