"""A bridge, wheels and a coach that tests of several kinds of crossings share."""

import traction as tr

THESIS = {"length": "20 m", "bending_stiffness": "2.08 GN m^2", "mass_per_length": "7900 kg/m"}
CAR = {"mass": "1 t", "suspension": [{"stiffness": "1 MN/m", "damping": "10 kN s/m", "mass": "9 t"}]}
COACH = {
    "body_mass": "32 t", "body_inertia": "1970 t m^2", "bogie_mass": "2615 kg",
    "bogie_inertia": "1476 kg m^2", "wheel_mass": "1813 kg",
    "primary": {"stiffness": "1.18 MN/m", "damping": "39.2 kN s/m"},
    "secondary": {"stiffness": "530 kN/m", "damping": "90.2 kN s/m"}, "bogie_spacing": "12 m",
    "axle_spacing": "2.5 m",
}  # fmt: skip


def sprung_wheel(**options):
    """CAR in Python."""
    return tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3), **options)


def built(kind, fields, **changes):
    """A scenario; what is changed to None is left out."""
    given = {**fields, **changes}
    return tr.Scenario.build(kind, **{key: value for key, value in given.items() if value is not None})


def figures_of(run):
    """Key figures by name."""
    return {name: value for name, value, _ in run.key_figures}
