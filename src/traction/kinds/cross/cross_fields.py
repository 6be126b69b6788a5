"""Fields of the samples of a crossing: bridge, wheels, contacts, energies, and driven wheels."""

from __future__ import annotations

from traction.crossing.results.energies import ENERGIES
from traction.kinds.tables.crossing_fields import LIFTED, VEHICLE
from traction.results.field import Field, field_table

CHOSEN = field_table("""
    time_step | s | time step, chosen automatically
    step_change | 1 | change of forces and deflections from twice the time step, relative
""")
PEAKS = field_table("""
    peak_deflection_so_far | m | largest deflection at the output position so far, of all steps
    time_of_peak_deflection | s | time of that deflection
    peak_acceleration_so_far | m/s2 | largest acceleration there so far, of all steps
""")
LOG = (
    LIFTED,
    Field("largest_force", "N", "largest wheel force so far, of all steps"),
    Field("least_force", "N", "smallest wheel force so far, of all steps"),
    Field("lifted_steps", "1", "time steps so far with a wheel lifted off", dtype="int64"),
)
WHEELS = (
    Field("contact_force", "N", "force under each wheel", ("wheel",)),
    Field("in_contact", "1", "whether each wheel touches", ("wheel",), dtype="bool"),
    VEHICLE,
    Field("vehicle_velocity", "m/s or rad/s", "velocities of the vehicles", ("coordinate",)),
)
PRESSED = field_table("""
    approach | m | approach of each wheel and the track, negative in flight | wheel
    peak_pressure | Pa | largest pressure under each wheel | wheel
    patch_area | m2 | area of each wheel's patch | wheel
    peak_pressure_so_far | Pa | largest pressure under a wheel so far, of all steps; \
of samples where contacts are solved at every step
    force_departure | N | largest distance of a wheel force from its neighbours in time so far
""")
MODAL = field_table("""
    modal | m kg^0.5 | coordinates of the modes | mode
    modal_velocity | m kg^0.5/s | velocities of the modes | mode
""")
NODAL = field_table("""
    nodal | m or rad | displacements of the nodes | node
    nodal_velocity | m/s or rad/s | velocities of the nodes | node
    nodal_acceleration | m/s2 or rad/s2 | accelerations of the nodes | node
""")
PRESSURE = Field("pressure", "Pa", "pressure under the first wheel", ("patch_y", "patch_x"))
ENERGY = tuple(Field(f"energy_{name}", "J", f"energy or work: {name.replace('_', ' ')}") for name in ENERGIES)
#: fields of the wheels, by the names of the columns of a march
WHEEL_COLUMNS = {
    "vehicle": "vehicle", "vehicle_velocity": "vehicle_velocity", "contact_forces": "contact_force",
    "in_contact": "in_contact",
}  # fmt: skip
DRIVEN = field_table("""
    longitudinal_force | N | force of the rail on each driven wheel along the travel | driven
    lateral_force | N | force of the rail on each driven wheel across the track | driven
    spin_moment | N m | moment of the tractions under each driven wheel | driven
    longitudinal_creepage | 1 | creepage of each driven wheel along the travel, \
mean since the sample before | driven | may be nan
    lateral_creepage | 1 | creepage across the track, likewise | driven | may be nan
    spin | 1/m | spin, likewise | driven | may be nan
    stick_share | 1 | share of each driven wheel's patch that sticks | driven
    sliding | 1 | whether all of the patch slipped at some time since the sample before | driven | bool
    slides | 1 | how often all of the patch began to slip so far | driven | int64
    friction_work | J | work of friction from the start | driven
""")

#: where a wheel is driven by a shaft
SHAFT = field_table("""
    shaft_torque | N m | torque of the shaft on each driven wheel | driven | may be nan
    rotor_speed | 1/s | angular velocity of the rotor of its shaft | driven | may be nan
""")
#: where friction depends on the slip speed
LAG = Field(
    "lag", "m", "largest distance since the sample before by which friction lags behind its law", ("driven",)
)
#: where a wheel turns by friction, or on a layer, that may fall with the slip
JUMP = Field(
    "force_jump",
    "1",
    "largest unresolved jump of the force since the sample before, over the friction bound",
    ("driven",),
)
TRACTIONS = field_table("""
    tread_pressure | Pa | pressure under the first driven wheel | tread_y tread_x
    traction_x | Pa | traction on the first driven wheel along the travel | tread_y tread_x
    traction_y | Pa | traction on the first driven wheel across the track | tread_y tread_x
    stick | 1 | whether an element of its patch sticks | tread_y tread_x | bool
""")
#: of which reports get all samples
WHOLE = (
    *(field.name for field in (*MODAL, *NODAL, *WHEELS, *DRIVEN, *SHAFT, LAG, JUMP, *TRACTIONS)), "approach",
    "peak_pressure", "patch_area",
)  # fmt: skip
