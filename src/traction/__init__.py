"""Traction: dynamic contact mechanics.

Names are loaded where they are first used, so that `import traction` costs little more than numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from traction.version import __version__

#: public modules
_MODULES = {
    "adhesion": "traction.theory.adhesion",
    "carter": "traction.theory.carter",
    "cattaneo": "traction.theory.cattaneo",
    "hertz": "traction.theory.hertz",
    "loads": "traction.theory.loads",
    "rolling_waves": "traction.theory.rolling_waves",
    "obstacle": "traction.beams.obstacle",
    "view": "traction.view",
}
#: public name -> module that holds it
_PUBLIC = {
    "ConvergenceError": "traction.errors",
    "InputError": "traction.errors",
    "TractionError": "traction.errors",
    "UndefinedError": "traction.errors",
    "Status": "traction.status",
    "Material": "traction.materials",
    "Pair": "traction.materials",
    "RIGID": "traction.materials",
    "STEEL": "traction.materials",
    "Grid": "traction.grid",
    "Cylinder": "traction.surfaces",
    "FunctionSurface": "traction.surfaces",
    "HeightMap": "traction.surfaces",
    "Paraboloid": "traction.surfaces",
    "RollingProfile": "traction.surfaces",
    "Sphere": "traction.surfaces",
    "Surface": "traction.surfaces",
    "HalfSpace": "traction.halfspace.half_space",
    "Stress": "traction.halfspace.subsurface",
    "subsurface_displacement": "traction.halfspace.subsurface",
    "subsurface_stress": "traction.halfspace.subsurface",
    "Certificate": "traction.contact.normal.pressure_certificate",
    "NormalContact": "traction.contact.normal.press",
    "press": "traction.contact.normal.press",
    "TangentialContact": "traction.contact.friction.tangential_contact",
    "FastsimContact": "traction.contact.simplified.fastsim",
    "fastsim": "traction.contact.simplified.fastsim",
    "KalkerCoefficients": "traction.contact.simplified.kalker",
    "kalker_coefficients": "traction.contact.simplified.kalker",
    "RollingOperator": "traction.contact.rolling.rolling_operator",
    "roll": "traction.contact.rolling.transient_rolling",
    "roll_steady": "traction.contact.rolling.steady_rolling",
    "shift": "traction.contact.friction.shift",
    "HalfSpaceLaw": "traction.laws.half_space_law",
    "PowerLaw": "traction.laws.power_law",
    "Banded": "traction.integrators.core.matrices",
    "SecondOrderSystem": "traction.integrators.core.system",
    "History": "traction.integrators.history",
    "Method": "traction.integrators.core.method",
    "integrate": "traction.integrators.integrate",
    "method": "traction.integrators.method_table",
    "methods": "traction.integrators.method_table",
    "Stability": "traction.integrators.stability",
    "stability": "traction.integrators.stability",
    "Beam": "traction.beams.beam",
    "Bending": "traction.beams.exact.statics",
    "DiscreteBeam": "traction.beams.discrete.discrete_beam",
    "Modes": "traction.beams.exact.modes",
    "Rayleigh": "traction.beams.damping",
    "SteadyVibration": "traction.beams.exact.harmonic_force",
    "Support": "traction.beams.supports",
    "Bridge": "traction.trains.bridge",
    "Rest": "traction.resting.rest_result",
    "rest": "traction.resting.rest",
    "InfluenceLine": "traction.beams.exact.influence_lines",
    "influence_line": "traction.beams.exact.influence_lines",
    "rail": "traction.beams.rail",
    "Drive": "traction.trains.drive",
    "HarmonicAxle": "traction.trains.force",
    "Irregularity": "traction.trains.irregularity",
    "Suspension": "traction.trains.wheel",
    "Train": "traction.trains.train",
    "Vehicle": "traction.trains.vehicle",
    "Wheel": "traction.trains.wheel",
    "Crossing": "traction.crossing.results.crossing",
    "moving_load": "traction.crossing.moving_load",
    "ContactCrossing": "traction.crossing.results.contact_crossing",
    "Energies": "traction.crossing.results.energies",
    "WheelRolling": "traction.crossing.driving.wheel_rolling",
    "cross": "traction.crossing.cross",
    "CrossingCurve": "traction.crossing.sweeps.crossing_resonance",
    "cross_resonance": "traction.crossing.sweeps.crossing_resonance",
    "compare_methods": "traction.crossing.sweeps.compare_methods",
    "ResonanceCurve": "traction.crossing.sweeps.resonance",
    "resonance": "traction.crossing.sweeps.resonance",
    "Spectrum": "traction.signals.spectra",
    "low_pass": "traction.signals.spectra",
    "spectrum": "traction.signals.spectra",
    "Vibration": "traction.beams.vibration.beam_vibration",
    "Plate": "traction.impacts.structures.plate",
    "InfiniteBeam": "traction.impacts.structures.unbounded",
    "InfinitePlate": "traction.impacts.structures.unbounded",
    "RigidGround": "traction.impacts.structures.unbounded",
    "ModalStructure": "traction.impacts.structures.modal_structure",
    "DampedLaw": "traction.laws.damped_law",
    "PlasticLaw": "traction.laws.plastic_law",
    "Response": "traction.laws.response",
    "TabulatedLaw": "traction.laws.tabulated_law",
    "ContactLaw": "traction.laws.contact_law",
    "Striker": "traction.impacts.striker",
    "ImpactHistory": "traction.impacts.impact_history",
    "impact": "traction.impacts.impact",
    "zener_restitution": "traction.impacts.zener",
    "ImpactSweep": "traction.impacts.impact_sweep",
    "impact_sweep": "traction.impacts.impact_sweep",
    "Landing": "traction.resting.landing",
    "land": "traction.resting.landing",
    "BounceHistory": "traction.bouncing.bounce_history",
    "bounce": "traction.bouncing.bounce",
    "falling_body": "traction.bouncing.falling_body",
    "Run": "traction.results.run",
    "load_run": "traction.results.run",
    "Scenario": "traction.kinds.case",
    "load": "traction.kinds.case",
    "simulate": "traction.kinds.simulate",
    "resume": "traction.kinds.simulate",
    "Sweep": "traction.results.sweep",
    "SweepTable": "traction.results.sweep",
    "load_sweep": "traction.results.sweep_folder",
    "sweep": "traction.kinds.sweep.sweep",
}

__all__ = ["__version__", *_MODULES, *_PUBLIC]

if TYPE_CHECKING:
    from traction import view as view
    from traction.beams import obstacle as obstacle
    from traction.beams.beam import Beam as Beam
    from traction.beams.damping import Rayleigh as Rayleigh
    from traction.beams.discrete.discrete_beam import DiscreteBeam as DiscreteBeam
    from traction.beams.exact.harmonic_force import SteadyVibration as SteadyVibration
    from traction.beams.exact.influence_lines import InfluenceLine as InfluenceLine
    from traction.beams.exact.influence_lines import influence_line as influence_line
    from traction.beams.exact.modes import Modes as Modes
    from traction.beams.exact.statics import Bending as Bending
    from traction.beams.rail import rail as rail
    from traction.beams.supports import Support as Support
    from traction.beams.vibration.beam_vibration import Vibration as Vibration
    from traction.bouncing.bounce import bounce as bounce
    from traction.bouncing.bounce_history import BounceHistory as BounceHistory
    from traction.bouncing.falling_body import falling_body as falling_body
    from traction.contact.friction.shift import shift as shift
    from traction.contact.friction.tangential_contact import TangentialContact as TangentialContact
    from traction.contact.normal.press import NormalContact as NormalContact
    from traction.contact.normal.press import press as press
    from traction.contact.normal.pressure_certificate import Certificate as Certificate
    from traction.contact.rolling.rolling_operator import RollingOperator as RollingOperator
    from traction.contact.rolling.steady_rolling import roll_steady as roll_steady
    from traction.contact.rolling.transient_rolling import roll as roll
    from traction.contact.simplified.fastsim import FastsimContact as FastsimContact
    from traction.contact.simplified.fastsim import fastsim as fastsim
    from traction.contact.simplified.kalker import KalkerCoefficients as KalkerCoefficients
    from traction.contact.simplified.kalker import kalker_coefficients as kalker_coefficients
    from traction.crossing.cross import cross as cross
    from traction.crossing.driving.wheel_rolling import WheelRolling as WheelRolling
    from traction.crossing.moving_load import moving_load as moving_load
    from traction.crossing.results.contact_crossing import ContactCrossing as ContactCrossing
    from traction.crossing.results.crossing import Crossing as Crossing
    from traction.crossing.results.energies import Energies as Energies
    from traction.crossing.sweeps.compare_methods import compare_methods as compare_methods
    from traction.crossing.sweeps.crossing_resonance import CrossingCurve as CrossingCurve
    from traction.crossing.sweeps.crossing_resonance import cross_resonance as cross_resonance
    from traction.crossing.sweeps.resonance import ResonanceCurve as ResonanceCurve
    from traction.crossing.sweeps.resonance import resonance as resonance
    from traction.errors import ConvergenceError as ConvergenceError
    from traction.errors import InputError as InputError
    from traction.errors import TractionError as TractionError
    from traction.errors import UndefinedError as UndefinedError
    from traction.grid import Grid as Grid
    from traction.halfspace.half_space import HalfSpace as HalfSpace
    from traction.halfspace.subsurface import Stress as Stress
    from traction.halfspace.subsurface import subsurface_displacement as subsurface_displacement
    from traction.halfspace.subsurface import subsurface_stress as subsurface_stress
    from traction.impacts.impact import impact as impact
    from traction.impacts.impact_history import ImpactHistory as ImpactHistory
    from traction.impacts.impact_sweep import ImpactSweep as ImpactSweep
    from traction.impacts.impact_sweep import impact_sweep as impact_sweep
    from traction.impacts.striker import Striker as Striker
    from traction.impacts.structures.modal_structure import ModalStructure as ModalStructure
    from traction.impacts.structures.plate import Plate as Plate
    from traction.impacts.structures.unbounded import InfiniteBeam as InfiniteBeam
    from traction.impacts.structures.unbounded import InfinitePlate as InfinitePlate
    from traction.impacts.structures.unbounded import RigidGround as RigidGround
    from traction.impacts.zener import zener_restitution as zener_restitution
    from traction.integrators.core.matrices import Banded as Banded
    from traction.integrators.core.method import Method as Method
    from traction.integrators.core.system import SecondOrderSystem as SecondOrderSystem
    from traction.integrators.history import History as History
    from traction.integrators.integrate import integrate as integrate
    from traction.integrators.method_table import method as method
    from traction.integrators.method_table import methods as methods
    from traction.integrators.stability import Stability as Stability
    from traction.integrators.stability import stability as stability
    from traction.kinds.case import Scenario as Scenario
    from traction.kinds.case import load as load
    from traction.kinds.simulate import resume as resume
    from traction.kinds.simulate import simulate as simulate
    from traction.kinds.sweep.sweep import sweep as sweep
    from traction.laws.contact_law import ContactLaw as ContactLaw
    from traction.laws.damped_law import DampedLaw as DampedLaw
    from traction.laws.half_space_law import HalfSpaceLaw as HalfSpaceLaw
    from traction.laws.plastic_law import PlasticLaw as PlasticLaw
    from traction.laws.power_law import PowerLaw as PowerLaw
    from traction.laws.response import Response as Response
    from traction.laws.tabulated_law import TabulatedLaw as TabulatedLaw
    from traction.materials import RIGID as RIGID
    from traction.materials import STEEL as STEEL
    from traction.materials import Material as Material
    from traction.materials import Pair as Pair
    from traction.resting.landing import Landing as Landing
    from traction.resting.landing import land as land
    from traction.resting.rest import rest as rest
    from traction.resting.rest_result import Rest as Rest
    from traction.results.run import Run as Run
    from traction.results.run import load_run as load_run
    from traction.results.sweep import Sweep as Sweep
    from traction.results.sweep import SweepTable as SweepTable
    from traction.results.sweep_folder import load_sweep as load_sweep
    from traction.signals.spectra import Spectrum as Spectrum
    from traction.signals.spectra import low_pass as low_pass
    from traction.signals.spectra import spectrum as spectrum
    from traction.status import Status as Status
    from traction.surfaces import Cylinder as Cylinder
    from traction.surfaces import FunctionSurface as FunctionSurface
    from traction.surfaces import HeightMap as HeightMap
    from traction.surfaces import Paraboloid as Paraboloid
    from traction.surfaces import RollingProfile as RollingProfile
    from traction.surfaces import Sphere as Sphere
    from traction.surfaces import Surface as Surface
    from traction.theory import adhesion as adhesion
    from traction.theory import carter as carter
    from traction.theory import cattaneo as cattaneo
    from traction.theory import hertz as hertz
    from traction.theory import loads as loads
    from traction.theory import rolling_waves as rolling_waves
    from traction.trains.bridge import Bridge as Bridge
    from traction.trains.drive import Drive as Drive
    from traction.trains.force import HarmonicAxle as HarmonicAxle
    from traction.trains.irregularity import Irregularity as Irregularity
    from traction.trains.train import Train as Train
    from traction.trains.vehicle import Vehicle as Vehicle
    from traction.trains.wheel import Suspension as Suspension
    from traction.trains.wheel import Wheel as Wheel


def __getattr__(name: str) -> Any:
    """Load a public name on first use."""
    if name in _MODULES:
        value = import_module(_MODULES[name])
    elif name in _PUBLIC:
        value = getattr(import_module(_PUBLIC[name]), name)
    else:
        raise AttributeError(f"module 'traction' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
