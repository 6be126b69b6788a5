"""`tr.cross` and the kind "cross" are one march: the same bits, energies and friction included."""

import numpy as np
import pytest

import traction as tr
from coarse import LONG_STEPS
from kinds.crossings import CAR, THESIS, built, sprung_wheel
from kinds.resumed import same_bits
from traction.crossing.results.energies import ENERGIES

END, STEPS, SAMPLES = 0.016, 16, 9
EVERY = STEPS // (SAMPLES - 1)
GRID = {"nx": 12, "ny": 12, "width_x": "20 mm", "width_y": "20 mm"}
WAVES = {"type": "harmonic", "amplitude": "0.2 mm", "wavelength": "0.5 m"}
SPRING = {"deflection": "500 MN/m"}
SOFT = (
    "condensed",
    "residual",
    "newmark",
    "energy",
)  #: marches over a soft end, which takes long with many nodes
AXLES = [CAR, {"force": "80 kN", "distance": 0.1}, {**CAR, "distance": 0.25}]
DRIVE = {"force": "-15 kN", "elements": 6}
MARCHES = {
    "condensed": {"size": 6},
    "residual": {"size": 6, "residual": True},
    "newmark": {"size": 6, "method": "newmark"},
    "energy": {"size": 6, "method": "energy-conserving"},
    "hht": {"type": "elements", "size": 4, "method": "hht"},
    "elements": {"type": "elements", "size": 6},
    "differences": {"type": "differences", "size": 8},
}
CASES = [
    *((contact, name, None) for contact in ("hertz", "half-space") for name in MARCHES),
    *(("rigid", name, None) for name in ("condensed", "elements", "differences")),
    ("hertz", "condensed", DRIVE),
    ("hertz", "elements", DRIVE),
    ("half-space", "condensed", {"creepage": 1e-3, "spin": "0.1 rad/m"}),
    ("half-space", "newmark", {"torque": "-3 kN m", "inertia": "20 kg m^2", "elements": 6}),
]


def by_file(contact, model, drive, soft):
    """The samples of the kind."""
    beam = {**THESIS, "supports": [SPRING if soft else "pinned", SPRING], "damping": 0.02}
    fields = {
        "beam": beam, "axle": AXLES, "speed": "30 m/s", "contact": contact, "model": model,
        "irregularity": WAVES, "time": {"dt": END / STEPS, "t_end": END, "samples": SAMPLES},
        "grid": GRID if contact == "half-space" else None, "drive": drive,
    }  # fmt: skip
    return tr.simulate(built("cross", fields)).data


def by_function(contact, model, drive, soft):
    """All steps of the function."""
    spring = tr.Support(5e8, 0.0)
    beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=(spring if soft else "pinned", spring), damping=0.02)
    given = {key: value for key, value in model.items() if key != "type"}
    if contact == "half-space":
        given["grid"] = tr.Grid(12, 12, 0.02 / 12, 0.02 / 12)
    if drive is not None:
        spun = {"creepage": (1e-3, 0.0, 0.1)} if "creepage" in drive else {}
        torque = {"torque": -3e3, "inertia": 20.0} if "torque" in drive else {}
        force = {"force": -15e3} if "force" in drive else {}
        given["drive"] = tr.Drive(elements=drive.get("elements"), **spun, **torque, **force)
    wheel = sprung_wheel()
    return tr.cross(
        tr.Bridge(beam, tr.STEEL), [(wheel, 0.0), (8e4, 0.1), (wheel, 0.25)], 30.0, contact=contact,
        model=model.get("type", "modes"), dt=END / STEPS, t_end=END,
        irregularity=tr.Irregularity.harmonic(2e-4, 0.5), **given,
    )  # fmt: skip


def rolled(run):
    """What samples hold of driven wheels."""
    wheels = [run.rolling(k) for k in range(len(run.contacts))]
    return {
        "longitudinal_force": [one.force[:, 0] for one in wheels],
        "lateral_force": [one.force[:, 1] for one in wheels],
        "spin_moment": [one.moment for one in wheels],
        "stick_share": [one.stick for one in wheels],
        "friction_work": [one.dissipated for one in wheels],
    }


@LONG_STEPS  # bits are equal at any step
@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore:wheel .* meets a step", "ignore:a wheel .* m from another axle")
@pytest.mark.filterwarnings("ignore:wheels land again in rigid contact")  # on soft ends of the bridge
@pytest.mark.parametrize(("contact", "name", "drive"), CASES)
def test_the_file_and_the_function_are_one_march(contact, name, drive):
    case = contact, MARCHES[name], drive, name in SOFT
    data, run = by_file(*case), by_function(*case)
    known = {
        "time": run.t, "vehicle": run.vehicle, "vehicle_velocity": run.vehicle_velocity,
        "contact_force": run.contact_forces, "in_contact": run.in_contact, "axle_place": run.places,
        "axle_force": run.forces,
        **{item: getattr(run, item)(10.0) for item in ("deflection", "velocity", "acceleration", "moment")},
    }  # fmt: skip
    if run.model == "modes":
        known |= {"modal": run.modal, "modal_velocity": run.modal_velocity}
    else:
        known |= {"nodal": run.q, "nodal_velocity": run.v, "nodal_acceleration": run.a}
    if contact != "rigid":
        known |= {"approach": run.approach}
        known |= {f"energy_{one}": getattr(run.energies, one) for one in ENERGIES}
    if drive is not None:
        known |= {one: np.stack(columns, axis=1) for one, columns in rolled(run).items()}
    assert run.t.size == STEPS + 1
    for item, values in known.items():
        assert same_bits(data[item].values, np.ascontiguousarray(values[::EVERY])), item
    assert np.ptp(run.contact_forces) > 0.0
