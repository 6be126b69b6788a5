"""Storing and restoring friction: tractions on the contact's grid and on the material."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from traction.contact.friction.pressed_displacement import PressedDisplacement
from traction.contact.friction.tangential_contact import InterfaceState, TangentialContact
from traction.contact.friction.varying_friction import VaryingFriction
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.material_grid import MaterialElements
from traction.contact.rolling.material_state import Displaced, LaggingFriction, MaterialState
from traction.contact.rolling.stick_tips import StickTips
from traction.contact.stick_slip.friction_certificate import FrictionCertificate
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.interface import Carried, Interface
from traction.contact.stick_slip.lagged_friction import Unrest
from traction.contact.temperature.heat_history import ENTRIES
from traction.contact.temperature.step_heat import CarriedHeat
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.layer import Layer
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.kinds.stored_state import require_indices, require_shapes
from traction.status import Status

MOST_PARTS = 10_000  #: of an element
ELEMENT_ARRAYS = (
    *("row", "cell", "low", "high", "edge", "shape", "bend", "point", "run", "left", "right", "bound"),
)
Creepage = tuple[float, float, float]
Given = float | FrictionLaw | ThermalFriction | TrackFriction  #: friction of a case


@dataclass(frozen=True)
class StoredInterface:
    """Memory of friction and of a layer, over the grid."""

    coefficient: np.ndarray
    memory: np.ndarray
    yielding: np.ndarray
    unrest: Unrest

    @classmethod
    def of(cls, known: InterfaceState | None) -> StoredInterface | None:
        """Of a contact with a law or a layer."""
        return None if known is None else cls(known.coefficient, known.memory, known.yielding, known.unrest)

    def check(self, grid: Grid) -> None:
        """Refuse what does not fit a contact on a grid, by an `InputError`."""
        given = {"coefficient": self.coefficient, "yielding": self.yielding, "memory": self.memory}
        require_shapes({name: (one, grid.shape) for name, one in given.items()})
        _require_memory(*given.values())
        steps, stuck, *speeds = self.unrest
        if not (0.0 <= steps < np.inf and 0.0 <= stuck <= 1.0 and np.isfinite(speeds).all()):
            raise InputError(f"the unrest of friction is {tuple(self.unrest)}: no count, share and speeds")

    def restore(self, friction: Given, speed: float | None, layer: Layer | None) -> InterfaceState:
        """The memory, with the friction and the layer of the case."""
        between = Interface(VaryingFriction.find_law(friction), layer, 1.0 if speed is None else speed)
        flow = np.zeros_like(self.coefficient)
        return InterfaceState(between, self.coefficient, self.memory, self.yielding, flow, self.unrest)


def _require_memory(mu: np.ndarray, tau: np.ndarray, *speed: np.ndarray) -> None:
    """Coefficients and slip speeds are finite; yield stresses of elastic layers are not."""
    floats = all(one.dtype == np.float64 for one in (mu, tau, *speed))
    if not floats or not all(np.isfinite(one).all() and (one >= 0.0).all() for one in (mu, *speed)):
        raise InputError("the memory of friction holds coefficients or slip speeds below 0, or not finite")
    if not (tau > 0.0).all():
        raise InputError("the memory of friction holds yield stresses that are not above 0")


@dataclass(frozen=True)
class StoredMaterial:
    """Tractions on the material under a contact; the contact itself is stored elsewhere."""

    traction: np.ndarray
    travelled: float
    fineness: int
    owed: float
    bound: np.ndarray
    element: dict[str, np.ndarray]
    up_to: tuple[np.ndarray, ...]
    ceiling: np.ndarray | None
    displacement: np.ndarray | None
    tips: StickTips | None
    trend: np.ndarray | None
    memory: tuple[np.ndarray, ...]  #: the fields of `Carried` of the elements, where they are known
    layer: float
    lagging: LaggingFriction | None
    ahead: float

    @classmethod
    def of(cls, state: object) -> StoredMaterial | None:
        """Of the state of a contact that rolls; None where its scheme keeps no tractions on the material."""
        if not isinstance(state, MaterialState):
            return None
        return cls(
            state.traction,
            float(state.travelled),
            state.fineness,
            state.owed,
            state.patch.bound,
            {name: getattr(state.elements, name) for name in ELEMENT_ARRAYS},
            tuple(state.elements.up_to),
            state.elements.ceiling,
            state.displaced.elements,
            state.tips,
            state.trend,
            () if state.carried is None else state.carried.fields,
            state.layer,
            state.lagging,
            state.ahead,
        )

    def check(self, grid: Grid) -> None:
        """Refuse what does not fit a contact on a grid, by an `InputError`."""
        if {*self.element} != {*ELEMENT_ARRAYS}:
            raise InputError(f"element holds {', '.join(self.element)}, not {', '.join(ELEMENT_ARRAYS)}")
        n, cells = self.element["row"].shape, (0, *self.bound.shape)[-1]
        ups = {f"up_to[{k}]": (one, n) for k, one in enumerate(self.up_to)}
        fields = {
            "displacement": (self.displacement, (2, *n)),
            "ceiling": (self.ceiling, (3, *n)),
            "trend": (self.trend, (2, *n)),
        }
        require_shapes(
            {name: (one, n) for name, one in self.element.items()}
            | {"traction": (self.traction, (2, *n)), "bound": (self.bound, (grid.ny, cells)), **ups}
            | {name: (one, shape) for name, (one, shape) in fields.items() if one is not None}
        )
        if len(n) != 1 or cells % grid.nx or not cells or not 1 <= self.fineness <= MOST_PARTS:
            raise InputError(f"the material has {cells} cells of {grid.nx} elements, {self.fineness} in each")
        for name, one in self.element.items():
            whole = name in ("row", "cell", "run")
            if one.dtype.kind != ("i" if whole else "f") or not np.isfinite(one).all():
                raise InputError(f"{name} of the material holds {one.dtype}, or is not finite")
            require_indices(name, one, 100 * max(cells, grid.ny, *n))
        known = (one for one in (self.ceiling, self.trend) if one is not None)
        for array in (self.traction, self.bound, *self.up_to, *known):
            if array.dtype != np.float64 or not np.isfinite(array).all():
                raise InputError("the tractions of the material are not finite numbers")
        if self.tips is not None:
            _check_tips(self.tips, grid.ny)
        if self.memory:
            numbers = 0.0 <= self.layer < np.inf and abs(self.ahead) <= MOST_PARTS
            if len(self.memory) not in (2, 3) or not numbers:
                raise InputError("the memory of the material is not coefficients, yield stresses and speeds")
            require_shapes({f"memory[{k}]": (one, n) for k, one in enumerate(self.memory)})
            _require_memory(*self.memory)
        if self.lagging is not None:
            _check_lagging(self.lagging, grid.ny)

    def restore(self, contact: NormalContact, friction: float) -> MaterialState:
        """The state of the contact."""
        whole = FrictionPatch.over(contact, friction)
        patch = replace(whole.divide_cells(self.bound.shape[1] // whole.grid.nx), bound=self.bound)
        half_space = HalfSpace(patch.grid, patch.pair)
        elements = MaterialElements(half_space, **self.element, up_to=self.up_to, ceiling=self.ceiling)
        return MaterialState(
            elements,
            self.traction,
            self.travelled,
            patch,
            self.fineness,
            displaced=Displaced(self.displacement),
            pressed=PressedDisplacement.of(contact, self.fineness),
            owed=self.owed,
            tips=self.tips,
            trend=self.trend,
            carried=Carried(*self.memory) if self.memory else None,
            layer=self.layer,
            lagging=self.lagging,
            ahead=self.ahead,
        )


def _check_lagging(lagging: LaggingFriction, rows: int) -> None:
    """Refuse coefficients at places that do not fit a contact of so many rows."""
    row, *numbers = lagging
    require_shapes({f"{name} of lagging": (one, row.shape) for name, one in lagging._asdict().items()})
    floats = all(one.dtype == np.float64 and np.isfinite(one).all() for one in numbers)
    if row.ndim != 1 or row.dtype.kind != "i" or (row < 0).any() or not floats or (lagging.mu < 0.0).any():
        raise InputError("friction that is lagging is not rows, places, edges and coefficients from 0 on")
    require_indices("row of lagging", row, rows)


def _check_tips(tips: StickTips, rows: int) -> None:
    """Refuse tips of the stick zone that do not fit a contact of so many rows; NaN where a run has none."""
    places = {"place": tips.place, "drift": tips.drift}
    require_shapes({f"{name} of tips": (one, tips.row.shape) for name, one in places.items()})
    floats = all(one.dtype == np.float64 and not np.isinf(one).any() for one in places.values())
    rowed = tips.row.ndim == 1 and tips.row.dtype.kind == "i" and not (tips.row < 0).any()
    if not rowed or not floats or tips.direction not in (1, -1) or not 0.0 <= tips.grown <= 1.0:
        raise InputError("the tips of the stick zone are not rows, numbers, a direction and a share")
    require_indices("row of tips", tips.row, rows)


@dataclass(frozen=True)
class StoredTractions:
    """Tractions of a step that the next one begins from."""

    traction: np.ndarray
    creepage: Creepage
    friction: float
    pressure: np.ndarray | None  #: where it is not that of the contact: of unlike bodies, tractions change it
    material: StoredMaterial | None
    between: StoredInterface | None = None  #: of a law or a layer
    heat: CarriedHeat | None = None  #: of friction by temperature
    position: float = 0.0  #: along the track, m

    @classmethod
    def of(cls, t: TangentialContact, pressure: np.ndarray | None) -> StoredTractions:
        """Fields of a step with its own pressure."""
        known = StoredMaterial.of(t.state), StoredInterface.of(t.interface)
        heat = t.heat if isinstance(t.heat, CarriedHeat) else None
        return cls(t.traction, t.creepage, float(t.friction), pressure, *known, heat, float(t.position))

    def check(self, grid: Grid) -> None:
        """Refuse what does not fit a contact on a grid, by an `InputError`."""
        given = {"traction": (self.traction, (2, *grid.shape))}
        require_shapes(given | ({} if self.pressure is None else {"pressure": (self.pressure, grid.shape)}))
        numbers = [self.traction, np.array([*self.creepage, self.friction, self.position])]
        for array in numbers + ([] if self.pressure is None else [self.pressure]):
            if array.dtype != np.float64 or not np.isfinite(array).all():
                raise InputError("tractions, creepage and friction are not finite numbers")
        if self.material is not None:
            self.material.check(grid)
        if self.between is not None:
            self.between.check(grid)
        if self.heat is not None:
            _check_heat(self.heat, grid)

    def restore(
        self,
        contact: NormalContact,
        law: Given = 0.0,
        speed: float | None = None,
        layer: Layer | None = None,
    ) -> TangentialContact:
        """The step, on the contact that it had, with the law and the layer of the case."""
        if self.pressure is not None:
            contact = replace(contact, pressure=self.pressure, _displacement=None)
        material = None if self.material is None else self.material.restore(contact, self.friction)
        known = None if self.between is None else self.between.restore(law, speed, layer)
        found = restore_friction(
            contact, self.friction, self.traction, creepage=self.creepage, state=material, interface=known
        )
        return replace(found, heat=self.heat, position=self.position)


def _check_heat(heat: CarriedHeat, grid: Grid) -> None:
    """Refuse heat of surfaces that does not fit a contact on a grid."""
    past, n = heat.history, heat.history.way.shape
    require_shapes(
        {"seconds of heat": (past.seconds, n), "power of heat": (past.power, (*n, *grid.shape))}
        | {"offset of heat": (past.offset, n), "age of heat": (past.age, n)}
        | {"power": (heat.power, grid.shape), "coefficients": (heat.coefficients, grid.shape)}
    )
    arrays = (past.way, past.seconds, past.power, past.offset, past.age, heat.power, heat.coefficients)
    floats = all(one.dtype == np.float64 and np.isfinite(one).all() for one in arrays)
    small = len(n) == 1 and n[0] <= ENTRIES * (grid.nx + 1) and bool((np.abs(past.way) <= 1e6).all())
    small = small and bool((np.abs(past.offset) <= 1e6).all())
    positive = floats and (past.seconds > 0.0).all() and (heat.coefficients >= 0.0).all()
    positive = positive and (past.age >= 0.0).all()
    if not (floats and small and positive):
        raise InputError("the heat of the surfaces is not ways, times above 0, powers and coefficients")


def restore_friction(
    normal: NormalContact,
    friction: float,
    traction: np.ndarray,
    *,
    stick: np.ndarray | None = None,
    creepage: Creepage = (0.0, 0.0, 0.0),
    state: MaterialState | None = None,
    interface: InterfaceState | None = None,
) -> TangentialContact:
    """Friction from its stored tractions, to resume from or to draw; it is not certified again."""
    return TangentialContact(
        normal=normal,
        friction=friction,
        traction=traction,
        slip=np.zeros_like(traction),
        stick=np.zeros(normal.grid.shape, dtype=bool) if stick is None else stick,
        creepage=creepage,
        dissipation=0.0,
        status=Status.CONVERGED,
        message=str(Status.CONVERGED),
        certificate=FrictionCertificate(0.0, 0.0, 0.0, 0.0),
        iterations=0,
        state=state,
        interface=interface,
    )
