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
    "HalfSpace": "traction.halfspace.operator",
    "Stress": "traction.halfspace.subsurface",
    "subsurface_displacement": "traction.halfspace.subsurface",
    "subsurface_stress": "traction.halfspace.subsurface",
    "Certificate": "traction.contact.certificate",
    "NormalContact": "traction.contact.normal",
    "press": "traction.contact.normal",
    "TangentialContact": "traction.contact.tangential",
    "FastsimContact": "traction.contact.fastsim",
    "fastsim": "traction.contact.fastsim",
    "KalkerCoefficients": "traction.contact.kalker",
    "kalker_coefficients": "traction.contact.kalker",
    "RollingOperator": "traction.contact.rolling_operator",
    "roll": "traction.contact.rolling",
    "roll_steady": "traction.contact.steady",
    "shift": "traction.contact.shift",
    "HalfSpaceLaw": "traction.contact.law",
    "PowerLaw": "traction.contact.law",
    "Banded": "traction.integrators.matrices",
    "SecondOrderSystem": "traction.integrators.system",
    "History": "traction.integrators.history",
    "Method": "traction.integrators.method",
    "integrate": "traction.integrators.integrate",
    "method": "traction.integrators.methods",
    "methods": "traction.integrators.methods",
    "Stability": "traction.integrators.stability",
    "stability": "traction.integrators.stability",
    "Beam": "traction.beams.beam",
    "Bending": "traction.beams.statics",
    "DiscreteBeam": "traction.beams.discrete",
    "Modes": "traction.beams.modes",
    "Rayleigh": "traction.beams.damping",
    "SteadyVibration": "traction.beams.harmonic",
    "Support": "traction.beams.supports",
    "Bridge": "traction.trains.bridge",
    "Rest": "traction.simulation.rest_result",
    "rest": "traction.simulation.rest",
    "InfluenceLine": "traction.beams.influence",
    "influence_line": "traction.beams.influence",
    "rail": "traction.beams.rail",
    "Drive": "traction.trains.drive",
    "HarmonicAxle": "traction.trains.force",
    "Irregularity": "traction.trains.irregularity",
    "Suspension": "traction.trains.wheel",
    "Train": "traction.trains.train",
    "Vehicle": "traction.trains.vehicle",
    "Wheel": "traction.trains.wheel",
    "Crossing": "traction.simulation.crossing",
    "moving_load": "traction.simulation.moving_load",
    "ContactCrossing": "traction.simulation.contact_crossing",
    "Energies": "traction.simulation.energies",
    "WheelRolling": "traction.simulation.wheel_rolling",
    "cross": "traction.simulation.cross",
    "CrossingCurve": "traction.simulation.speed_sweep",
    "cross_resonance": "traction.simulation.speed_sweep",
    "compare_methods": "traction.simulation.compare_methods",
    "ResonanceCurve": "traction.simulation.resonance",
    "resonance": "traction.simulation.resonance",
    "Spectrum": "traction.simulation.signals",
    "low_pass": "traction.simulation.signals",
    "spectrum": "traction.simulation.signals",
    "Vibration": "traction.beams.vibration",
    "Plate": "traction.impacts.plate",
    "InfiniteBeam": "traction.impacts.unbounded",
    "InfinitePlate": "traction.impacts.unbounded",
    "RigidGround": "traction.impacts.unbounded",
    "ModalStructure": "traction.impacts.modal_structure",
    "DampedLaw": "traction.impacts.laws",
    "PlasticLaw": "traction.impacts.laws",
    "Striker": "traction.impacts.striker",
    "ImpactHistory": "traction.impacts.history",
    "impact": "traction.impacts.impact",
    "zener_restitution": "traction.impacts.zener",
    "ImpactSweep": "traction.impacts.sweep",
    "impact_sweep": "traction.impacts.sweep",
    "Landing": "traction.simulation.landing",
    "land": "traction.simulation.landing",
    "BounceHistory": "traction.simulation.bounce",
    "bounce": "traction.simulation.bounce",
    "falling_body": "traction.simulation.bounce",
    "Run": "traction.results.run",
    "load_run": "traction.results.run",
    "Scenario": "traction.kinds.case",
    "load": "traction.kinds.case",
    "simulate": "traction.kinds.simulate",
    "resume": "traction.kinds.simulate",
    "Sweep": "traction.results.sweep",
    "SweepTable": "traction.results.sweep",
    "load_sweep": "traction.results.sweep_folder",
    "sweep": "traction.kinds.sweep",
}

__all__ = ["__version__", *_MODULES, *_PUBLIC]

if TYPE_CHECKING:
    from traction import view as view
    from traction.beams import obstacle as obstacle
    from traction.beams.beam import Beam as Beam
    from traction.beams.damping import Rayleigh as Rayleigh
    from traction.beams.discrete import DiscreteBeam as DiscreteBeam
    from traction.beams.harmonic import SteadyVibration as SteadyVibration
    from traction.beams.influence import InfluenceLine as InfluenceLine
    from traction.beams.influence import influence_line as influence_line
    from traction.beams.modes import Modes as Modes
    from traction.beams.rail import rail as rail
    from traction.beams.statics import Bending as Bending
    from traction.beams.supports import Support as Support
    from traction.beams.vibration import Vibration as Vibration
    from traction.contact.certificate import Certificate as Certificate
    from traction.contact.fastsim import FastsimContact as FastsimContact
    from traction.contact.fastsim import fastsim as fastsim
    from traction.contact.kalker import KalkerCoefficients as KalkerCoefficients
    from traction.contact.kalker import kalker_coefficients as kalker_coefficients
    from traction.contact.law import HalfSpaceLaw as HalfSpaceLaw
    from traction.contact.law import PowerLaw as PowerLaw
    from traction.contact.normal import NormalContact as NormalContact
    from traction.contact.normal import press as press
    from traction.contact.rolling import roll as roll
    from traction.contact.rolling_operator import RollingOperator as RollingOperator
    from traction.contact.shift import shift as shift
    from traction.contact.steady import roll_steady as roll_steady
    from traction.contact.tangential import TangentialContact as TangentialContact
    from traction.errors import ConvergenceError as ConvergenceError
    from traction.errors import InputError as InputError
    from traction.errors import TractionError as TractionError
    from traction.errors import UndefinedError as UndefinedError
    from traction.grid import Grid as Grid
    from traction.halfspace.operator import HalfSpace as HalfSpace
    from traction.halfspace.subsurface import Stress as Stress
    from traction.halfspace.subsurface import subsurface_displacement as subsurface_displacement
    from traction.halfspace.subsurface import subsurface_stress as subsurface_stress
    from traction.impacts.history import ImpactHistory as ImpactHistory
    from traction.impacts.impact import impact as impact
    from traction.impacts.laws import DampedLaw as DampedLaw
    from traction.impacts.laws import PlasticLaw as PlasticLaw
    from traction.impacts.modal_structure import ModalStructure as ModalStructure
    from traction.impacts.plate import Plate as Plate
    from traction.impacts.striker import Striker as Striker
    from traction.impacts.sweep import ImpactSweep as ImpactSweep
    from traction.impacts.sweep import impact_sweep as impact_sweep
    from traction.impacts.unbounded import InfiniteBeam as InfiniteBeam
    from traction.impacts.unbounded import InfinitePlate as InfinitePlate
    from traction.impacts.unbounded import RigidGround as RigidGround
    from traction.impacts.zener import zener_restitution as zener_restitution
    from traction.integrators.history import History as History
    from traction.integrators.integrate import integrate as integrate
    from traction.integrators.matrices import Banded as Banded
    from traction.integrators.method import Method as Method
    from traction.integrators.methods import method as method
    from traction.integrators.methods import methods as methods
    from traction.integrators.stability import Stability as Stability
    from traction.integrators.stability import stability as stability
    from traction.integrators.system import SecondOrderSystem as SecondOrderSystem
    from traction.kinds.case import Scenario as Scenario
    from traction.kinds.case import load as load
    from traction.kinds.simulate import resume as resume
    from traction.kinds.simulate import simulate as simulate
    from traction.kinds.sweep import sweep as sweep
    from traction.materials import RIGID as RIGID
    from traction.materials import STEEL as STEEL
    from traction.materials import Material as Material
    from traction.materials import Pair as Pair
    from traction.results.run import Run as Run
    from traction.results.run import load_run as load_run
    from traction.results.sweep import Sweep as Sweep
    from traction.results.sweep import SweepTable as SweepTable
    from traction.results.sweep_folder import load_sweep as load_sweep
    from traction.simulation.bounce import BounceHistory as BounceHistory
    from traction.simulation.bounce import bounce as bounce
    from traction.simulation.bounce import falling_body as falling_body
    from traction.simulation.compare_methods import compare_methods as compare_methods
    from traction.simulation.contact_crossing import ContactCrossing as ContactCrossing
    from traction.simulation.cross import cross as cross
    from traction.simulation.crossing import Crossing as Crossing
    from traction.simulation.energies import Energies as Energies
    from traction.simulation.landing import Landing as Landing
    from traction.simulation.landing import land as land
    from traction.simulation.moving_load import moving_load as moving_load
    from traction.simulation.resonance import ResonanceCurve as ResonanceCurve
    from traction.simulation.resonance import resonance as resonance
    from traction.simulation.rest import rest as rest
    from traction.simulation.rest_result import Rest as Rest
    from traction.simulation.signals import Spectrum as Spectrum
    from traction.simulation.signals import low_pass as low_pass
    from traction.simulation.signals import spectrum as spectrum
    from traction.simulation.speed_sweep import CrossingCurve as CrossingCurve
    from traction.simulation.speed_sweep import cross_resonance as cross_resonance
    from traction.simulation.wheel_rolling import WheelRolling as WheelRolling
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
