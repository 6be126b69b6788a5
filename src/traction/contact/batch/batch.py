"""`Batch`: many contacts on one grid at once, on the processor or a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from time import perf_counter

from numpy.typing import ArrayLike

from traction import checks
from traction.contact.batch.batch_results import PressedBatch, TangentialBatch
from traction.contact.batch.device import GraphicsProcessor, Processor
from traction.contact.batch.feedback.member_friction import MemberFrictionInput, check_member_friction
from traction.contact.batch.friction_groups import FrictionGroups
from traction.contact.batch.friction_members import MemberRows, check_members
from traction.contact.batch.press_members import PressRows, check_press_members
from traction.contact.batch.pressing import Pressing
from traction.contact.friction.shift import shift
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.steady_rolling import DISCRETISATIONS, roll_steady
from traction.errors import InputError
from traction.friction_laws.layer import Layer
from traction.grid import Grid
from traction.materials import Pair
from traction.surfaces import GapInput

DEVICES, PRECISIONS = ("cpu", "gpu"), ("float64", "mixed")


class Batch:
    """Many contacts at once on one grid, between bodies of the same two materials.

    Parameters
    ----------
    grid
        Grid of all members.
    pair
        Materials of the two bodies.
    device
        "cpu", or "gpu" with CuPy (``pip install traction[gpu]``).
    precision
        "float64", or "mixed": most products are in half precision on a GPU and in single precision on a
        processor. Results and certificates are in double precision either way, within the same tolerance.

    Raises
    ------
    InputError
        If a choice is unknown, or there is no GPU that CuPy can use.

    Notes
    -----
    Members that share a contact share their matrices, so that an iteration of all of them is one matrix
    product (`traction.contact.batch.splitting`). The matrices are dense: their memory grows with the fourth
    power of the number of elements across.

    Examples
    --------
    >>> grid, pair = tr.Grid(24, 24, dx=0.6e-3, dy=0.6e-3), tr.Pair(tr.STEEL, tr.STEEL)
    >>> n = tr.press(tr.Paraboloid(0.46, 0.46), grid, pair, force=80e3)
    >>> creepages = [(1e-3, 0.0, 0.0), (2e-3, 1e-3, 0.0), (0.0, 0.0, 0.5)]
    >>> b = tr.Batch(grid, pair).roll_steady(n, 0.3, creepages)
    >>> print(b.ok, b.force.shape)
    [ True  True  True] (3, 2)
    """

    def __init__(self, grid: Grid, pair: Pair, device: str = "cpu", precision: str = "float64") -> None:
        self.grid = checks.instance("grid", grid, Grid)
        self.pair = checks.instance("pair", pair, Pair)
        self.device = checks.choice("device", device, DEVICES)
        self.precision = checks.choice("precision", precision, PRECISIONS)
        self._processor = find_device(self.device)
        self._pressing: Pressing | None = None
        self._groups = FrictionGroups(self._processor, self.precision == "mixed", self._find_pressing)

    def __reduce__(self) -> tuple[type[Batch], tuple[Grid, Pair, str, str]]:
        return Batch, (self.grid, self.pair, self.device, self.precision)  # matrices are filled again

    def __repr__(self) -> str:
        return f"Batch({self.grid!r}, {self.pair!r}, device={self.device!r}, precision={self.precision!r})"

    def press(
        self,
        gaps: GapInput | Sequence[GapInput],
        *,
        forces: ArrayLike | None = None,
        approaches: ArrayLike | None = None,
        tol: float = 1e-6,
        fields: bool = False,
    ) -> PressedBatch:
        """Solve frictionless contact of K members, each as `tr.press` does.

        Parameters
        ----------
        gaps
            Undeformed distance of the bodies, m: one surface, array (ny, nx) or function for all members, or
            one for each, as a list or an array (K, ny, nx).
        forces
            Normal force of all members, or of each, (K,), N (lines: N/m). Give either forces or approaches.
        approaches
            Approach of all members, or of each, m, (K,).
        tol
            Largest gap remaining in the contact, relative to the approach, in the certificate of each member.
        fields
            Whether to keep the pressures; then ``b[k]`` is the contact of a member.

        Returns
        -------
        PressedBatch
            Arrays with a row for each member, and its status. A member whose contact reaches the edge of the
            grid, or that did not converge, has a status that says so.

        Raises
        ------
        InputError
            If numbers of rows differ, a gap does not fit the grid, or a force is not positive.

        Notes
        -----
        Pressures are computed in double precision. Line contacts, large grids on a processor and members that
        do not converge are solved one by one with `tr.press`; `solved_singly` counts them.

        Examples
        --------
        >>> grid, pair = tr.Grid(24, 24, dx=0.6e-3, dy=0.6e-3), tr.Pair(tr.STEEL, tr.STEEL)
        >>> b = tr.Batch(grid, pair).press(tr.Paraboloid(0.46, 0.46), forces=[40e3, 60e3, 80e3])
        >>> (b.peak_pressure / 1e9).round(2)
        array([0.78, 0.89, 0.98])
        """
        began = perf_counter()
        checks.tolerance("tol", tol)
        checks.flag("fields", fields)
        members = check_press_members(self.grid, gaps, forces, approaches)
        rows = PressRows(self.grid, self.pair, members, tol, fields)
        pressing = self._find_pressing()
        if pressing is not None:
            rows.solve(pressing, self._processor)
        rows.solve_rest()
        return rows.finish(began)

    def _find_pressing(self) -> Pressing | None:
        """The matrices of pressures; None where they are too large or not worth their set-up."""
        if self.grid.is_line or self.grid.nx * self.grid.ny > self._processor.most_pressed:
            return None
        if self._pressing is None:
            try:
                self._pressing = Pressing(self.grid, self.pair, self._processor)
            except MemoryError:
                return None
        return self._pressing

    def roll_steady(
        self,
        normals: NormalContact | Sequence[NormalContact],
        friction: MemberFrictionInput,
        creepages: ArrayLike,
        forces: ArrayLike | None = None,
        *,
        speed: ArrayLike | None = None,
        layer: Layer | None = None,
        position: float = 0.0,
        direction: int = 1,
        discretisation: str = "covered",
        tol: float = 1e-6,
        fields: bool = False,
    ) -> TangentialBatch:
        """Solve steady rolling of K members, each as `tr.roll_steady` does.

        Parameters
        ----------
        normals
            Normal contact of all members, or one for each, on the grid of the batch.
        friction
            Friction of all members, or of each: a number or numbers (K,); coefficients per cell of the grid,
            (ny, nx) or (K, ny, nx); a function of x and y; a law of `tr.friction`; or a sequence of these.
        creepages
            (xi, eta, phi) of each member, (K, 3), phi in rad/m; xi or eta is ignored if its force is given.
        forces
            Tangential forces on body 1 (F_x, F_y) of each member, N (lines: N/m), (K, 2); NaN where the
            creepage (or displacement) is given.
        speed
            Speed of rolling of all members, or of each, m/s, (K,); laws of friction need it.
        layer
            A `tr.Layer` between the bodies of all members, which shears and may yield.
        position
            Of the contact along the track, m, for friction along it (`tr.friction.along_track`).
        direction
            +1 rolls along +x, -1 along -x.
        discretisation
            "covered", or "classical" for whole cells.
        tol
            Largest error of slips and tractions in the certificate of each member, relative to their scales.
        fields
            Whether to keep tractions, slips and stick areas of all members.

        Returns
        -------
        TangentialBatch
            Arrays with a row for each member, and its status. A member that did not converge has a status
            that says so, and its last iterate.

        Raises
        ------
        InputError
            If numbers of rows differ, a contact is on another grid, a force is not below mu Fn or above the
            maximum of the creep curve, or the speed that a law needs is missing.

        Notes
        -----
        Solved one by one with `tr.roll_steady`, and counted by `solved_singly`:

        - members without friction or contact, and those that do not converge;
        - fewer than 8 members of a contact (of all contacts together for whole cells) whose matrices an
          earlier call has not filled;
        - contacts of more than 1100 elements on a processor, where that is faster, or 6000 on a GPU;
        - bodies of different materials by covered elements, whose edges differ from member to member, in line
          contact, and on grids of more than 700 elements on a processor;
        - covered elements with fields of friction that vanish inside the contact;
        - laws of friction that fall so steeply that there may be several solutions, under forces near the
          maximum of their creep curve, or under forces on bodies of different materials;
        - friction by temperature.

        Bounds that depend on the slip follow it during the iteration; the certificate evaluates them anew
        from the slip of the solution. Members with laws, fields or unlike bodies are solved in double
        precision.

        Examples
        --------
        >>> grid, pair = tr.Grid(24, 24, dx=0.6e-3, dy=0.6e-3), tr.Pair(tr.STEEL, tr.STEEL)
        >>> n = tr.press(tr.Paraboloid(0.46, 0.46), grid, pair, force=80e3)
        >>> xi = np.linspace(0.0, 4e-3, 9)
        >>> b = tr.Batch(grid, pair).roll_steady(n, 0.3, np.column_stack((xi, 0 * xi, 0 * xi)))
        >>> (b.force[:, 0] / 24e3).round(2)
        array([ 0.  , -0.26, -0.47, -0.64, -0.78, -0.87, -0.94, -0.98, -1.  ])

        The same with friction that falls with the slip speed, at two speeds:

        >>> law = tr.friction.exponential(0.15, (0.15, 0.5))
        >>> speeds = np.repeat([10.0, 50.0], 9)
        >>> rows = np.tile(np.column_stack((xi, 0 * xi, 0 * xi)), (2, 1))
        >>> b = tr.Batch(grid, pair).roll_steady(n, law, rows, speed=speeds)
        >>> (b.force[[8, 17], 0] / 24e3).round(2)
        array([-0.97, -0.88])
        """
        began = perf_counter()
        checks.choice("direction", direction, (1, -1))
        covered = checks.choice("discretisation", discretisation, DISCRETISATIONS) == "covered"
        checks.tolerance("tol", tol)
        checks.flag("fields", fields)
        given = check_member_friction(self.grid, friction, speed, layer, position)
        members = check_members(self.grid, self.pair, normals, given, "creepages", creepages, forces)
        rows = MemberRows(members, fields)
        for solved in self._groups.solve(members, direction, covered, tol, fields):
            rows.enter(solved, tol)
        single = partial(roll_steady, direction=direction, discretisation=discretisation)
        rows.solve_rest(partial(single, layer=layer, position=position, tol=tol, on_failure="return"))
        return rows.finish("steady rolling", perf_counter() - began)

    def shift(
        self,
        normals: NormalContact | Sequence[NormalContact],
        friction: MemberFrictionInput,
        displacements: ArrayLike,
        forces: ArrayLike | None = None,
        *,
        speed: ArrayLike | None = None,
        layer: Layer | None = None,
        position: float = 0.0,
        tol: float = 1e-6,
        fields: bool = False,
    ) -> TangentialBatch:
        """Shift K members without rolling, each as `tr.shift` does without initial tractions.

        Parameters
        ----------
        normals, friction, forces, layer, position, tol, fields
            As in `roll_steady`.
        displacements
            (dx, dy, rotation) of each member, m, m and rad, (K, 3); dx or dy is not used where its force is
            given.
        speed
            Speed of the shift of all members, or of each, m/s, (K,); laws of friction need it.

        Returns
        -------
        TangentialBatch
            Arrays with a row for each member, and its status.

        Raises
        ------
        InputError
            If numbers of rows differ, a contact is on another grid, or a force is not below mu Fn.

        Notes
        -----
        Line contacts, and what `roll_steady` solves one by one with whole cells, are solved one by one with
        `tr.shift`. With a law of friction displacements are given, in all directions.

        Examples
        --------
        >>> grid, pair = tr.Grid(24, 24, dx=0.6e-3, dy=0.6e-3), tr.Pair(tr.STEEL, tr.STEEL)
        >>> n = tr.press(tr.Paraboloid(0.46, 0.46), grid, pair, force=80e3)
        >>> pulls = np.linspace(0.0, 0.9, 10)[:, None] * [0.3 * 80e3, 0.0]
        >>> b = tr.Batch(grid, pair).shift(n, 0.3, np.zeros(3), pulls)
        >>> (b.creepage[[3, 6, 9], 0] * 1e6).round(1)
        array([ -6.4, -13.8, -23.7])
        """
        began = perf_counter()
        checks.tolerance("tol", tol)
        checks.flag("fields", fields)
        given = check_member_friction(self.grid, friction, speed, layer, position)
        if given.is_hot().any():
            raise InputError("friction by temperature is for steady rolling: use roll_steady.")
        members = check_members(self.grid, self.pair, normals, given, "displacements", displacements, forces)
        rows = MemberRows(members, fields)
        if not self.grid.is_line:
            for solved in self._groups.solve(members, 0, False, tol, fields):
                rows.enter(solved, tol)
        rows.solve_rest(partial(shift, layer=layer, position=position, tol=tol, on_failure="return"))
        return rows.finish("shift", perf_counter() - began)


def find_device(name: str) -> Processor:
    """The processor, or the current GPU."""
    return Processor() if name == "cpu" else GraphicsProcessor()
