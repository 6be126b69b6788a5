"""Wheels in elastic contact on a bridge with soft ends: `elastic_march` with `bridge_edges`.

It is compiled only where a bridge has such ends. Units: SI, as in `elastic_march`.
"""

from traction.compiled import kernel
from traction.crossing.marches.kernels.bridge_edges import (
    AT_END,
    adjust_shares,
    blend_shares,
    edge_arcs,
    end_near,
    look_at_edge,
    near_ends,
    part_contacts,
    place_code,
    work_along_arcs,
)
from traction.crossing.marches.kernels.condensed_steps import condense_step
from traction.crossing.marches.kernels.contact_springs import MOST_ITERATIONS
from traction.crossing.marches.kernels.elastic_march import (
    compile_march,
    condense_contacts,
    solve_contacts,
    track_under,
)


@kernel
def enter_edge_step(bridge, cars, way, work, springs, n, rows, closing):
    """Find the code of each wheel in step n, and where that is another one its approach at time n anew.

    Near a soft end the neglected modes are felt by the share of the bridge in the step before, squared.
    """
    for k in range(work.on.size):
        middle = 0.5 * (way.place[n] + way.place[n + 1]) - cars.behind[k]
        code = place_code(bridge.ends, springs.radii[k], middle)
        near = end_near(bridge.ends, springs.radii[k], middle)
        if near < 0:
            work.share[k] = 1.0 if code >= 0 else 0.0
        else:
            for end in range(2):
                springs.compliance[n, end, k] = work.share[k] ** 2 * springs.left_out[n, end, k]
        springs.weights[n, k] = work.share[k]
        if code == work.on[k]:
            continue
        work.on[k] = code
        ground, track = track_under(bridge, cars, way, code, n, k, rows.q[n])
        if near >= 0:
            rise, drop = edge_arcs(bridge.ends, springs.radii[k], near, way.place[n] - cars.behind[k])
            track = min(ground + rise, track + drop)
        closing[n, k] = springs.static[k] + (rows.z[n, cars.coordinate[k]] - track)


@kernel
def prepare_edge_step(bridge, cars, way, work, springs, n, rows, closing):
    """Enter and condense step n, as `prepare_step` does, for the shares of the step before."""
    enter_edge_step(bridge, cars, way, work, springs, n, rows, closing)
    condense_step(bridge, cars, way, work, n, rows)
    shared = False
    for k in range(len(springs.radii)):
        places = way.place[n] - cars.behind[k], way.place[n + 1] - cars.behind[k]
        shared |= look_at_edge(bridge, springs.radii[k], places, work.on[k], rows.q[n], work.edges[k])
    condense_contacts(cars, way, work, springs.static, n, rows)
    if shared:
        part_contacts(work)
        blend_shares(work)


@kernel
def share_contacts(springs, contacts, n, work, F):
    """Solve step n with the shares of bridge and ground near soft ends; returns as `solve_contacts` does."""
    total = 0
    for _ in range(MOST_ITERATIONS):
        took = solve_contacts(springs, contacts, n, work, F)
        if took < 0:
            return -1
        total += took
        if not near_ends(work.edges):
            return total
        if adjust_shares(work, springs.static, F):
            for k in range(F.size):
                if work.edges[k, AT_END] >= 0.0:
                    contacts.turned[n, k] += work_along_arcs(work.edges[k], work.share[k], F[k])
            return total
        blend_shares(work)
    return -1


march_edges = compile_march(enter_edge_step, prepare_edge_step, share_contacts)
