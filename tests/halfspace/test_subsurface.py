"""Stress and displacement inside the bodies, against the laws of elasticity and closed forms."""

import math

import numpy as np
import pytest

from traction.errors import InputError, UndefinedError
from traction.grid import Grid
from traction.halfspace import subsurface
from traction.halfspace.kernels import subsurface_fields
from traction.halfspace.subsurface import Stress, subsurface_displacement, subsurface_stress
from traction.materials import RIGID, STEEL, Material, Pair

RUBBER = Material.from_shear_modulus(2e6, 0.49)
PAIR = Pair(STEEL, RUBBER)
GRID = Grid(4, 3, 0.9e-3, 1.3e-3, center=(0.4e-3, -0.7e-3))
LINE = Grid.line(5, 0.8e-3, length=0.3, center=0.3e-3)
SIDES = {1: 1.0, 2: -1.0}
DIRECTIONS = ("x", "y", "pressure")


def loaded(grid, direction, seed=3):
    """Random tractions in one direction only."""
    traction = np.zeros((3, *grid.shape))
    index = DIRECTIONS.index(direction)
    traction[index] = 1e6 * np.random.default_rng(seed).uniform(0.2, 1.0, grid.shape)
    return traction


def inner_points(grid, body, number=12, seed=5):
    """Random points under and beside the grid, between half a cell and six cells deep."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1.0, 1.0, number) * grid.nx * grid.dx + grid.center[0]
    y = rng.uniform(-1.0, 1.0, number) * 4e-3 + grid.center[1]
    return np.stack([x, y, SIDES[body] * rng.uniform(0.5, 6.0, number) * grid.dx], axis=1)


def gradient(field, points, step):
    """Central differences of fourth order; the last axis of the answer is the direction of the derivative."""
    columns = []
    for axis in np.eye(3):
        near = field(points + step * axis) - field(points - step * axis)
        far = field(points + 2 * step * axis) - field(points - 2 * step * axis)
        columns.append((8.0 * near - far) / (12.0 * step))
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("body", [1, 2])
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("grid", [GRID, LINE], ids=["rectangles", "strips"])
class TestElasticity:
    def test_stress_is_in_equilibrium(self, grid, direction, body):
        traction, points = loaded(grid, direction), inner_points(grid, body)

        def tensor(where):
            return subsurface_stress(where, grid, traction, PAIR, body=body).tensor

        derivatives = gradient(tensor, points, 2e-3 * grid.dx)
        divergence = np.einsum("nijj->ni", derivatives)
        assert np.abs(divergence).max() < 5e-9 * np.abs(derivatives).max()

    def test_stress_follows_from_displacement_by_hookes_law(self, grid, direction, body):
        traction, points = loaded(grid, direction), inner_points(grid, body)
        G, nu = PAIR.body(body).shear_modulus, PAIR.body(body).poisson_ratio

        def displacement(where):
            return subsurface_displacement(where, grid, traction, PAIR, body=body)

        slope = gradient(displacement, points, 2e-3 * grid.dx)
        strain = 0.5 * (slope + slope.swapaxes(-1, -2))
        dilation = np.trace(strain, axis1=-2, axis2=-1)[:, None, None]
        expected = 2.0 * G * (strain + nu / (1.0 - 2.0 * nu) * dilation * np.eye(3))
        stress = subsurface_stress(points, grid, traction, PAIR, body=body).tensor
        assert np.abs(stress - expected).max() < 1e-8 * np.abs(stress).max()

    def test_stress_at_the_surface_is_the_traction(self, grid, direction, body):
        traction = loaded(grid, direction)
        x, y = grid.mesh()
        under = subsurface_stress(np.stack([x, y, 0.0 * x], axis=-1), grid, traction, PAIR, body=body)
        found = -np.stack([under.xz, under.yz, under.zz])
        np.testing.assert_allclose(found, traction, atol=1e-10 * traction.max())

    def test_surface_is_free_beside_the_load(self, grid, direction, body):
        beside = [[grid.center[0] + 0.6 * grid.nx * grid.dx, grid.center[1], 0.0]]
        stress = subsurface_stress(beside, grid, loaded(grid, direction), PAIR, body=body)
        assert np.abs(stress.tensor[..., 2]).max() < 1e-10 * np.abs(loaded(grid, direction)).max()


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("grid", [GRID, LINE], ids=["rectangles", "strips"])
def test_lower_body_is_the_mirror_of_the_upper(grid, direction):
    """Reflected in z = 0, the load on body 2 is that on body 1 with the tangential part reversed."""
    same, mirror = Pair(STEEL, STEEL), np.array([1.0, 1.0, -1.0])
    traction, points = loaded(grid, direction), inner_points(grid, 1)
    reversed_load = traction * np.array([-1.0, -1.0, 1.0])[:, None, None]
    stress = subsurface_stress(points, grid, reversed_load, same, body=1).tensor
    mirrored = subsurface_stress(points * mirror, grid, traction, same, body=2).tensor
    np.testing.assert_allclose(mirrored, stress * np.outer(mirror, mirror), rtol=1e-13)
    moved = subsurface_displacement(points, grid, reversed_load, same, body=1)
    np.testing.assert_allclose(
        subsurface_displacement(points * mirror, grid, traction, same, body=2), moved * mirror, rtol=1e-13
    )


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_each_body_gives_way_to_its_load(direction):
    index, middle = DIRECTIONS.index(direction), [*GRID.center, 0.0]
    traction = loaded(GRID, direction)
    assert subsurface_displacement(middle, GRID, traction, PAIR, body=1)[index] > 0.0
    assert subsurface_displacement(middle, GRID, traction, PAIR, body=2)[index] < 0.0


def point_force(point, nu, direction):
    """Stress and 4 pi G u of a unit force on z >= 0, along x or inward (Johnson 3.18, 3.19, 3.75-3.77)."""
    x, y, z = point
    r = math.hypot(x, y, z)
    s, k = r + z, 1.0 - 2.0 * nu
    tensor = np.zeros((3, 3))
    if direction == "pressure":
        tensor[0, 0] = k * (z / r**3 - 1 / (r * s) + x**2 * (2 * r + z) / (r**3 * s**2))
        tensor[1, 1] = k * (z / r**3 - 1 / (r * s) + y**2 * (2 * r + z) / (r**3 * s**2))
        tensor[0, 1] = tensor[1, 0] = k * x * y * (2 * r + z) / (r**3 * s**2)
        moved = (x * z / r**3 - k * x / (r * s), y * z / r**3 - k * y / (r * s), z**2 / r**3 + (1 + k) / r)
        along = z
    else:
        common = 1 / (r**3 * s**2) + 2 / (r**2 * s**3)
        tensor[0, 0] = k * (x / r**3 - 3 * x / (r * s**2) + x**3 * common)
        tensor[1, 1] = k * (x / r**3 - x / (r * s**2) + x * y**2 * common)
        tensor[0, 1] = tensor[1, 0] = k * (-y / (r * s**2) + x**2 * y * common)
        moved = (
            1 / r + x**2 / r**3 + k * (1 / s - x**2 / (r * s**2)),
            x * y / r**3 - k * x * y / (r * s**2),
            x * z / r**3 + k * x / (r * s),
        )
        along = x
    tensor -= 3.0 * along / r**5 * np.outer(point, point)
    return tensor / (2.0 * math.pi), np.array(moved)


@pytest.mark.parametrize("direction", ["x", "pressure"])
@pytest.mark.parametrize("toward", [(0.6, 0.48, 0.64), (-0.8, 0.6, 0.0), (0.36, -0.8, 0.48)])
def test_far_field_is_that_of_a_point_force(direction, toward):
    """A uniform element has no first moment: the relative error falls with the square of the distance."""
    cell = Grid(1, 1, 1.0, 1.5)
    traction = loaded(cell, direction)
    total = traction.sum() * cell.cell_area
    stress_errors, displacement_errors = [], []
    for distance in (8.0, 16.0, 32.0):
        point = distance * np.array(toward)
        tensor, moved = point_force(point, STEEL.poisson_ratio, direction)
        tensor, moved = total * tensor, total * moved / (4 * math.pi * STEEL.shear_modulus)
        found = subsurface_stress(point, cell, traction, PAIR, body=1).tensor
        stress_errors.append(np.linalg.norm(found - tensor) / np.linalg.norm(tensor))
        found = subsurface_displacement(point, cell, traction, PAIR, body=1)
        displacement_errors.append(np.linalg.norm(found - moved) / np.linalg.norm(moved))
    for errors in (stress_errors, displacement_errors):
        orders = np.log2(np.array(errors[:-1]) / errors[1:])
        assert orders == pytest.approx(2.0, abs=0.1)


def test_load_along_y_is_the_load_along_x_seen_from_the_side():
    turned = Grid(GRID.ny, GRID.nx, GRID.dy, GRID.dx, center=GRID.center[::-1])
    along_x, points = loaded(GRID, "x"), inner_points(GRID, 1)
    along_y = np.zeros((3, *turned.shape))
    along_y[1] = along_x[0].T
    swap = [1, 0, 2]
    stress = subsurface_stress(points, GRID, along_x, PAIR, body=1).tensor
    seen = subsurface_stress(points[:, swap], turned, along_y, PAIR, body=1).tensor
    np.testing.assert_allclose(seen[:, swap][:, :, swap], stress, atol=1e-13 * np.abs(stress).max())


@pytest.mark.parametrize("body", [1, 2])
def test_force_through_a_deep_plane_is_the_load(body):
    """Gauss quadrature over the whole plane, with radius = depth tan(t)."""
    traction = sum(loaded(GRID, direction, seed) for seed, direction in enumerate(DIRECTIONS))
    depth = 5e-3
    nodes, weights = np.polynomial.legendre.leggauss(40)
    t = 0.25 * math.pi * (nodes + 1.0)
    radius, dr = depth * np.tan(t), 0.25 * math.pi * weights * depth / np.cos(t) ** 2
    theta = 2.0 * math.pi * np.arange(48) / 48
    x, y = radius[:, None] * np.cos(theta), radius[:, None] * np.sin(theta)
    plane = np.stack([x, y, np.full_like(x, SIDES[body] * depth)], axis=-1)
    area = (radius * dr)[:, None] * np.full(48, 2.0 * math.pi / 48)
    tensor = subsurface_stress(plane, GRID, traction, PAIR, body=body).tensor
    carried = -np.einsum("rt,rti->i", area, tensor[..., 2])
    np.testing.assert_allclose(carried, traction.sum(axis=(1, 2)) * GRID.cell_area, rtol=1e-6)


class TestRectangleUnderPressure:
    """Uniform pressure on 2a by 2b (Love 1929; Steinbrenner 1934)."""

    a, b, p = 0.5e-3, 0.8e-3, 2e6
    grid = Grid(1, 1, 2 * a, 2 * b)
    traction = np.array([0.0, 0.0, p])[:, None, None]

    def stress(self, points):
        return subsurface_stress(points, self.grid, self.traction, PAIR, body=1)

    def test_stress_below_the_centre(self):
        a, b, z = self.a, self.b, 1e-3 * np.array([0.01, 0.1, 0.5, 1.0, 4.0])
        r1, r2, r3 = np.sqrt(a**2 + z**2), np.sqrt(b**2 + z**2), np.sqrt(a**2 + b**2 + z**2)
        angle = np.arctan(a * b / (z * r3))
        stress = self.stress(np.stack([0 * z, 0 * z, z], axis=1))
        zz = -2.0 * self.p / math.pi * (angle + a * b * z / r3 * (r1**-2 + r2**-2))
        np.testing.assert_allclose(stress.zz, zz, rtol=1e-11)
        mean = 4.0 * (1.0 + STEEL.poisson_ratio) * self.p / (3.0 * math.pi) * angle
        np.testing.assert_allclose(stress.pressure, mean, rtol=1e-11)
        assert np.abs([stress.xy, stress.xz, stress.yz]).max() < 1e-12 * self.p

    def test_displacement_of_the_centre(self):
        a, b = self.a, self.b
        V = 4.0 * (a * math.asinh(b / a) + b * math.asinh(a / b))
        moved = subsurface_displacement([0.0, 0.0, 0.0], self.grid, self.traction, PAIR, body=1)
        expected = (1.0 - STEEL.poisson_ratio) * self.p * V / (2.0 * math.pi * STEEL.shear_modulus)
        assert moved[2] == pytest.approx(expected, rel=1e-11)
        assert np.abs(moved[:2]).max() < 1e-12 * moved[2]

    def test_edge_carries_half_and_corner_a_quarter(self):
        on_edges = self.stress([[self.a, 0.0, 0.0], [0.0, -self.b, 0.0], [self.a, self.b, 0.0]])
        np.testing.assert_allclose(on_edges.zz / -self.p, [0.5, 0.5, 0.25], rtol=1e-10)
        assert np.isfinite(on_edges.tensor).all()

    @pytest.mark.parametrize("direction", DIRECTIONS)
    @pytest.mark.parametrize("end", [-1.0, 1.0])
    def test_nothing_happens_on_the_extension_of_an_edge(self, direction, end):
        """Each corner is singular there; together they are not."""
        traction = loaded(self.grid, direction)
        on = np.array([self.a, 2.0 * end * self.b, 0.0])
        beside = on + 1e-6 * self.a * np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
        left, middle, right = subsurface_stress(beside, self.grid, traction, PAIR, body=1).tensor
        assert np.abs(middle).max() > 1e-3 * traction.max()
        np.testing.assert_allclose(middle, 0.5 * (left + right), atol=1e-9 * traction.max())


def hertz_traction(grid, radius, peak):
    """Mean of the Hertz pressure over each cell, by 4 x 4 points."""
    shifts = (np.arange(4) - 1.5) / 4.0
    x, y = grid.mesh()
    total = np.zeros((3, *grid.shape))
    for across in shifts:
        for along in shifts if not grid.is_line else [0.0]:
            r2 = (x + across * grid.dx) ** 2 + (y + along * grid.dy) ** 2
            total[2] += np.sqrt(np.maximum(0.0, 1.0 - r2 / radius**2))
    return peak * total / (4.0 if grid.is_line else 16.0)


def test_hertz_sphere_on_the_axis():
    """Johnson, equation 3.45."""
    a, p0, nu = 1e-3, 1e9, STEEL.poisson_ratio
    z = a * np.array([0.05, 0.2, 0.48, 1.0, 2.0])
    stress_zz = -p0 / (1.0 + (z / a) ** 2)
    stress_rr = -p0 * (1.0 + nu) * (1.0 - z / a * np.arctan(a / z)) - 0.5 * stress_zz
    grid = Grid.around(1.05 * a, 1.05 * a, 63, 63)
    found = subsurface_stress(
        np.stack([0 * z, 0 * z, z], axis=1), grid, hertz_traction(grid, a, p0), PAIR, body=1
    )
    np.testing.assert_allclose(found.zz, stress_zz, atol=3e-4 * p0)
    np.testing.assert_allclose(found.xx, stress_rr, atol=3e-4 * p0)
    np.testing.assert_allclose(found.yy, found.xx, atol=1e-9 * p0)
    np.testing.assert_allclose(found.max_shear, 0.5 * np.abs(stress_zz - stress_rr), atol=3e-4 * p0)
    np.testing.assert_allclose(found.von_mises, np.abs(stress_zz - stress_rr), atol=6e-4 * p0)


def test_hertz_line_on_the_axis():
    """Johnson, equations 4.46: largest shear 0.300 p0 at z = 0.786 a."""
    a, p0 = 1e-3, 1e9
    z = -a * np.array([0.1, 0.5, 0.786, 1.0, 3.0])
    root = np.sqrt(a**2 + z**2)
    grid = Grid.line(200, 2.0 * a / 200)
    points = np.stack([0 * z, 0 * z, z], axis=1)
    found = subsurface_stress(points, grid, hertz_traction(grid, a, p0), Pair(STEEL, STEEL), body=2)
    np.testing.assert_allclose(found.zz, -p0 * a / root, atol=1e-3 * p0)
    np.testing.assert_allclose(found.xx, -p0 / a * ((a**2 + 2 * z**2) / root - 2 * np.abs(z)), atol=1e-3 * p0)
    np.testing.assert_allclose(found.yy, STEEL.poisson_ratio * (found.xx + found.zz), rtol=1e-12)
    assert found.max_shear[2] == pytest.approx(0.300 * p0, abs=1e-3 * p0)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_long_rectangles_become_strips(direction):
    """The ends of the rectangles are felt in proportion to 1/length; a wrong constant would stay."""
    traction = loaded(LINE, direction)
    points = np.array([[0.4e-3, 0.0, 1.1e-3], [2.6e-3, 0.0, 0.0], [-3.1e-3, 0.0, 2.0e-3]])
    stress_errors, displacement_errors = [], []
    for length in (1.0, 2.0):
        strips = Grid.line(LINE.nx, LINE.dx, length=length, center=LINE.center[0])
        rectangles = Grid(LINE.nx, 1, LINE.dx, length, center=LINE.center)
        limit = subsurface_stress(points, strips, traction, PAIR, body=1).tensor
        found = subsurface_stress(points, rectangles, traction, PAIR, body=1).tensor
        stress_errors.append(np.abs(found - limit).max() / np.abs(limit).max())
        limit = subsurface_displacement(points, strips, traction, PAIR, body=1)
        found = subsurface_displacement(points, rectangles, traction, PAIR, body=1)
        displacement_errors.append(np.abs(found - limit).max() / np.abs(limit).max())
    for errors in (stress_errors, displacement_errors):
        assert errors[0] < 1e-3
        assert math.log2(errors[0] / errors[1]) > 0.95


def test_surface_behind_a_sliding_strip_is_stretched():
    """Uniform q on |x| < a: (s_xx)_z=0 = (2 q/pi) ln|(x - a)/(x + a)| (Johnson, section 2.5)."""
    a, q, x = 0.5, 3.0, np.array([-1.0, -0.2, 0.3, 2.0])
    points = np.stack([x, 0 * x, 0 * x], axis=1)
    found = subsurface_stress(points, Grid.line(1, 2 * a), [[[q]], [[0]], [[0]]], PAIR, body=1)
    np.testing.assert_allclose(found.xx, 2 * q / math.pi * np.log(np.abs((x - a) / (x + a))), rtol=1e-11)
    assert found.xx[0] > 0.0


def test_line_displacement_at_the_surface_is_the_log_kernel():
    """ln(L/|x - s|) with Kalker's constants, by quadrature over the strip; x lies beside it."""
    a, L, x, nu = 0.5e-3, 0.1, 1.7e-3, STEEL.poisson_ratio
    nodes, weights = np.polynomial.legendre.leggauss(30)
    log = a * weights @ np.log(L / np.abs(x - a * nodes))
    grid = Grid.line(1, 2 * a, length=L)
    moved = [
        subsurface_displacement([x, 0, 0], grid, 1e6 * np.eye(3)[i][:, None, None], PAIR, body=1)
        for i in range(3)
    ]
    expected = [(1 - nu) * log + 2 * a * nu, log - 2 * a * nu, (1 - nu) * log]
    np.testing.assert_allclose(
        np.diag(moved), 1e6 / (math.pi * STEEL.shear_modulus) * np.array(expected), rtol=1e-9
    )


def test_line_displacement_needs_a_length():
    grid = Grid.line(5, 1e-3)
    with pytest.raises(UndefinedError, match=r"displacement is not defined .* length=0\.1"):
        subsurface_displacement([0, 0, 1e-3], grid, loaded(grid, "x"), PAIR, body=1)


class TestStressValues:
    def test_hydrostatic_state_has_no_shear(self):
        state = Stress(np.zeros((2, 3)), np.array([-5e8, 3e8])[:, None, None] * np.eye(3))
        assert np.abs(state.von_mises).max() < 1e-6
        assert np.abs(state.max_shear).max() < 1e-6
        np.testing.assert_allclose(state.pressure, [5e8, -3e8])

    def test_simple_tension_and_simple_shear(self):
        tension = Stress(np.zeros(3), np.diag([0.0, 2.0, 0.0]))
        assert tension.von_mises == pytest.approx(2.0)
        assert tension.max_shear == pytest.approx(1.0)
        np.testing.assert_allclose(tension.principal, [2.0, 0.0, 0.0])
        shear = Stress(np.zeros(3), np.array([[0.0, 0.0, 3.0], [0.0, 0.0, 0.0], [3.0, 0.0, 0.0]]))
        assert shear.von_mises == pytest.approx(3.0 * math.sqrt(3.0))
        np.testing.assert_allclose(shear.principal, [3.0, 0.0, -3.0], atol=1e-12)

    def test_principal_stresses_descend_and_keep_the_invariants(self):
        traction = sum(loaded(GRID, direction) for direction in DIRECTIONS)
        stress = subsurface_stress(inner_points(GRID, 1), GRID, traction, PAIR, body=1)
        principal = stress.principal
        assert (np.diff(principal, axis=-1) <= 0.0).all()
        np.testing.assert_allclose(principal.sum(axis=-1), -3.0 * stress.pressure, rtol=1e-10)
        np.testing.assert_allclose(principal.prod(axis=-1), np.linalg.det(stress.tensor), rtol=1e-9)
        s1, s2, s3 = principal.T
        energy = 0.5 * ((s1 - s2) ** 2 + (s2 - s3) ** 2 + (s3 - s1) ** 2)
        np.testing.assert_allclose(stress.von_mises**2, energy, rtol=1e-10)

    def test_components_are_named_by_their_place(self):
        tensor = np.array([[1.0, 4.0, 5.0], [4.0, 2.0, 6.0], [5.0, 6.0, 3.0]])
        s = Stress(np.zeros(3), tensor)
        assert [s.xx, s.yy, s.zz, s.xy, s.xz, s.yz] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("shape", [(3,), (0, 3), (2, 4, 3)])
@pytest.mark.parametrize("grid", [GRID, LINE], ids=["rectangles", "strips"])
def test_answers_have_the_shape_of_the_points(shape, grid):
    points = np.abs(np.random.default_rng(0).normal(size=shape)) * 1e-3
    stress = subsurface_stress(points, grid, loaded(grid, "x"), PAIR, body=1)
    assert stress.tensor.shape == (*shape, 3)
    assert stress.von_mises.shape == shape[:-1]
    assert subsurface_displacement(points, grid, loaded(grid, "x"), PAIR, body=1).shape == shape


@pytest.mark.parametrize("grid", [GRID, LINE], ids=["rectangles", "strips"])
def test_no_load_no_stress(grid):
    nothing, points = np.zeros((3, *grid.shape)), inner_points(grid, 1)
    assert not subsurface_stress(points, grid, nothing, PAIR, body=1).tensor.any()
    assert not subsurface_displacement(points, grid, nothing, PAIR, body=1).any()


@pytest.mark.parametrize("grid", [GRID, LINE], ids=["rectangles", "strips"])
def test_read_only_arrays_need_no_other_machine_code(grid):
    traction, points = loaded(grid, "x"), inner_points(grid, 1)
    before = subsurface_stress(points, grid, traction, PAIR, body=1)
    moved = subsurface_displacement(points, grid, traction, PAIR, body=1)
    names = ("rectangle_stress", "strip_stress", "rectangle_displacement", "strip_displacement")
    compiled = {name: len(getattr(subsurface_fields, name).signatures) for name in names}
    for array in (traction, points):
        array.flags.writeable = False
    after = subsurface_stress(points, grid, traction, PAIR, body=1)
    np.testing.assert_array_equal(after.tensor, before.tensor)
    np.testing.assert_array_equal(subsurface_displacement(points, grid, traction, PAIR, body=1), moved)
    assert {name: len(getattr(subsurface_fields, name).signatures) for name in names} == compiled
    assert after.points.flags.writeable
    assert not np.shares_memory(after.points, points)


def test_rounding_far_away_is_as_documented():
    """A uniform square far away is a point force (Boussinesq): relative error 1e-16 (distance/element)^2."""
    grid, traction = Grid(1, 1, 1e-3, 1e-3), np.array([0.0, 0.0, 1e6]).reshape(3, 1, 1)
    for cells in (1e3, 1e4, 1e5):
        z = cells * 1e-3
        found = subsurface_stress((0.0, 0.0, z), grid, traction, Pair(STEEL, STEEL), body=1).zz
        assert found == pytest.approx(-3.0 / (2.0 * math.pi * z * z), rel=1e-15 * cells**2 + cells**-2)


@pytest.mark.parametrize("field", [subsurface_stress, subsurface_displacement])
class TestBadInput:
    point = (0.0, 0.0, 0.0)

    def test_point_in_the_other_body(self, field):
        traction = loaded(GRID, "x")
        with pytest.raises(InputError, match=r"points\[1, 2\] = -0\.002 m lies outside body 1.*>= 0.*body=2"):
            field([self.point, (0, 0, -2e-3)], GRID, traction, PAIR, body=1)
        with pytest.raises(InputError, match=r"points\[2\] = 0\.002 m lies outside body 2.*<= 0.*body=1"):
            field((0, 0, 2e-3), GRID, traction, PAIR, body=2)

    def test_unknown_body(self, field):
        with pytest.raises(InputError, match="body = 3 is not known; choose one of 1, 2"):
            field(self.point, GRID, loaded(GRID, "x"), PAIR, body=3)

    def test_what_is_no_grid_or_pair(self, field):
        with pytest.raises(InputError, match=r"grid = 'g' must be a tr\.Grid: build one"):
            field(self.point, "g", loaded(GRID, "x"), PAIR, body=1)
        for pair in (STEEL, 2e11, None):
            with pytest.raises(InputError, match=r"pair .* must be a tr\.Pair: give two materials"):
                field(self.point, GRID, loaded(GRID, "x"), pair, body=1)
        with pytest.raises(InputError, match="body = True is not known"):
            field(self.point, GRID, loaded(GRID, "x"), PAIR, body=True)

    def test_rigid_body(self, field):
        with pytest.raises(InputError, match=r"body 2 is rigid.*body=1"):
            field(self.point, GRID, loaded(GRID, "x"), Pair(STEEL, RIGID), body=2)

    def test_shapes(self, field):
        with pytest.raises(InputError, match=r"points has shape \(2,\), expected \(\.\.\., 3\)"):
            field((0.0, 0.0), GRID, loaded(GRID, "x"), PAIR, body=1)
        with pytest.raises(
            InputError, match=r"traction has shape \(2, 3, 4\), expected \(3, 3, 4\): px, py and"
        ):
            field(self.point, GRID, loaded(GRID, "x")[:2], PAIR, body=1)

    def test_values_that_are_not_finite(self, field):
        traction = loaded(GRID, "x")
        with pytest.raises(InputError, match=r"points\[0\] = nan must be finite"):
            field((math.nan, 0, 0), GRID, traction, PAIR, body=1)
        traction[2, 1, 0] = math.inf
        with pytest.raises(InputError, match=r"traction\[2, 1, 0\] = inf must be finite"):
            field(self.point, GRID, traction, PAIR, body=1)


class TestLayers:
    """Blocks of points on the lattice of the grid, by FFT, against the plain sum at the same points."""

    grid = Grid(12, 9, 0.9e-3, 1.3e-3, center=(0.4e-3, -0.7e-3))

    @staticmethod
    def block(grid, shift, depths, around=2):
        """Lattice points under and beside the grid, shifted by parts of a cell, (depth, y, x, 3)."""
        x = (
            grid.center[0]
            + (np.arange(grid.nx + 2 * around) - 0.5 * (grid.nx - 1) - around + shift[0]) * grid.dx
        )
        y = grid.center[1] + (np.arange(grid.ny + around) - 0.5 * (grid.ny - 1) + shift[1]) * grid.dy
        return np.stack(np.meshgrid(depths, y, x, indexing="ij")[::-1], axis=-1)

    @pytest.mark.parametrize("body", [1, 2])
    @pytest.mark.parametrize("direction", DIRECTIONS)
    @pytest.mark.parametrize("shift", [(0.0, 0.0), (0.5, 0.5), (0.5, 0.0), (0.31, -0.27)])
    def test_layers_agree_with_plain_sums(self, monkeypatch, shift, direction, body):
        traction = loaded(self.grid, direction)
        points = self.block(self.grid, shift, SIDES[body] * np.array([0.0, 0.4e-3, 5e-3]))
        if shift[0] == 0.5 or shift[1] == 0.5:
            points = points[1:]  # on edges at the surface the stress is unbounded
        monkeypatch.setattr(subsurface, "LAYER_COST", 0.0)
        layered = subsurface_stress(points, self.grid, traction, PAIR, body=body).tensor
        monkeypatch.setattr(subsurface, "LAYER_COST", math.inf)
        summed = subsurface_stress(points, self.grid, traction, PAIR, body=body).tensor
        np.testing.assert_allclose(layered, summed, rtol=0.0, atol=2e-13 * np.abs(summed).max())

    def test_layers_and_scattered_points_keep_their_order(self, monkeypatch):
        traction = sum(loaded(self.grid, direction) for direction in DIRECTIONS)
        block = self.block(self.grid, (0.2, 0.1), np.array([1e-3, 2e-3])).reshape(-1, 3)
        points = np.concatenate([block, inner_points(self.grid, 1)])
        np.random.default_rng(1).shuffle(points)
        mixed = subsurface_stress(points, self.grid, traction, PAIR, body=1).tensor
        monkeypatch.setattr(subsurface, "LAYER_COST", math.inf)
        summed = subsurface_stress(points, self.grid, traction, PAIR, body=1).tensor
        np.testing.assert_allclose(mixed, summed, rtol=0.0, atol=2e-13 * np.abs(summed).max())
        assert np.abs(mixed - summed).max() > 0.0  # by another way

    def test_few_points_are_summed(self):
        layers = list(subsurface.split_layers(np.array([[0.5, 0.5, 1.0], [3.5, 2.5, 1.0]])))
        assert len(layers) == 1
        assert not subsurface.pays(layers[0], self.grid.shape, corners=130)
