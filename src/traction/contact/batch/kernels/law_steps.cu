// Bounds of the members of a batch by laws of friction and layers that yield, on a GPU: one block a member, one
// thread a row of elements. Names, arrays and formulas are those of law_steps.py and sliding_states.py.

#include "splitting_steps.cu"

#define RULE                                                                                                          \
    int number, int form, double kinetic, double first, double first_speed, double second, double second_speed,      \
        const double *table, int knots, double rest, double highest, double distance, double background,             \
        double yield_stress, double hardening, double tie, int exact, int steady, double rho_unit
#define WAYS                                                                                                          \
    const i64 *order, const i64 *skipped, const i64 *begins, int rows, const double *reach, const i64 *which,        \
        const double *pressure, const double *unit, const double *time, double *steepness,     \
        double *plastic

struct Law {
    int form;
    double kinetic, first, first_speed, second, second_speed;
    const double *table;
    int knots;
    double rest, distance, background, yield_stress, hardening, tie;
    int exact;
};
struct State { double mu, tau; };  // memory of a particle
struct Flow { double plastic, by_motion; bool slides; };  // part of a motion, and whether friction is the bound
struct Slide { double bound; State after; double plastic, fall, miss; };

__device__ void interpolate_table(const Law &L, double speed, double &mu, double &slope) {
    double place = log1p(speed / L.first_speed) * L.second_speed;
    int last = L.knots - 1;
    if (!(place < last)) {
        mu = L.table[2 * last];
        slope = 0.0;
        return;
    }
    int k = (int)place;
    const double *a = L.table + 2 * k, *b = a + 2;
    double t = place - k, step = 1.0 / L.second_speed, left = a[1] * step, right = b[1] * step, rise = b[0] - a[0];
    double p = 3.0 * rise - 2.0 * left - right, q = left + right - 2.0 * rise;
    mu = a[0] + t * (left + t * (p + t * q));
    slope = (left + t * (2.0 * p + 3.0 * t * q)) * L.second_speed / (L.first_speed + speed);
}

__device__ void friction_coefficient(const Law &L, double speed, double &mu, double &slope) {
    if (L.form == TABULATED) return interpolate_table(L, speed, mu, slope);
    mu = L.kinetic;
    slope = 0.0;
    for (int term = 0; term < 2; term++) {
        double m = term ? L.second : L.first, v = term ? L.second_speed : L.first_speed;
        if (m == 0.0) continue;
        if (L.form == LINEAR) {
            if (speed < 2.0 * v) {
                mu += m * (1.0 - speed / (2.0 * v));
                slope -= m / (2.0 * v);
            }
        } else if (L.form == EXPONENTIAL) {
            double part = m * exp(-LN2 * speed / v);
            mu += part;
            slope -= part * LN2 / v;
        } else if (!term) {
            double part = 1.0 / (1.0 + speed / v);
            mu += m * part;
            slope -= m * part * part / v;
        } else {
            double part = 1.0 / (1.0 + (speed / v) * (speed / v));
            mu += m * part;
            slope -= m * part * part * 2.0 * speed / (v * v);
        }
    }
}

__device__ double keep_of_memory(const Law &L, double speed, double time, double &change) {
    change = 0.0;
    if (L.distance <= 0.0) return 0.0;
    double way = fmax(speed, L.background) * time / L.distance, share = L.exact ? exp(-way) : 1.0 / (1.0 + way);
    if (speed > L.background) change = -(L.exact ? share : share * share) * time / L.distance;
    return share;
}

// Coefficient that a particle remembers after a slip, and its derivative by the slip.
__device__ double remember(const Law &L, double before, double slip, double during, double time, double &by_slip) {
    double speed = slip / time, mu = L.rest, slope = 0.0, change;
    if (speed > 0.0 || L.yield_stress < 1e300) friction_coefficient(L, speed, mu, slope);
    double keep = keep_of_memory(L, speed, during, change);
    by_slip = (change * (before - mu) + (1.0 - keep) * slope) / time;
    return keep * before + (1.0 - keep) * mu;
}

// As flow of sliding_states.py of a layer that does not harden.
__device__ Flow find_flow(const Law &L, double most, double before, double motion) {
    double apart = most - before, share = apart > 0.0 ? 1.0 : 0.0;
    if (fabs(apart) < L.tie) share = 0.5 * (1.0 + apart / L.tie);
    return {share * motion, share, false};
}

// As harden_by of sliding_states.py.
__device__ double harden_by(const Law &L, double during, double time) { return L.hardening * (during / time); }

__device__ double share_rest(const Law &L, double pressure, double before, double level, double rest, double during,
                             double time) {
    double low = 0.0, high = rest, k = harden_by(L, during, time), by_slip;
    for (int n = 0; n < HALVINGS; n++) {
        double slip = 0.5 * (low + high), friction = remember(L, before, slip, during, time, by_slip) * pressure;
        (friction > level + k * (rest - slip) ? high : low) = slip;
    }
    return high;
}

// As harden of sliding_states.py, with the derivative by the motion alone.
__device__ Flow harden(const Law &L, double most, double pressure, State before, double motion, double during,
                       double time) {
    double k = harden_by(L, during, time), apart = most - before.tau, by_rest, by_slip;
    if (k * motion <= apart) return {motion, 1.0, false};
    double rest = apart > 0.0 ? motion - apart / k : motion, level = apart > 0.0 ? most : before.tau;
    double excess = remember(L, before.mu, rest, during, time, by_rest) * pressure - level;
    if (!(excess > EQUAL * level)) return {motion - rest, 0.0, true};
    double slip = share_rest(L, pressure, before.mu, level, rest, during, time);
    remember(L, before.mu, slip, during, time, by_slip);
    double by_motion = k / fmax(by_slip * pressure + k, EQUAL * k);
    if (excess < L.tie) {
        double part = excess / L.tie, spared = rest - slip;
        slip = rest - part * spared;
        by_motion = (1.0 - part) + part * by_motion - by_rest * pressure / L.tie * spared;
    }
    return {motion - slip, 1.0 - by_motion, false};
}

// As resist of sliding_states.py, with the derivative of the bound by the motion alone, as a fall.
__device__ Slide slide(const Law &L, double reach, double time, double pressure, State before,
                       double motion) {
    double during = reach * time, change, tau = before.tau, hardens = 0.0, by_slip;
    Flow flow = {0.0, 0.0, false};
    if (L.yield_stress < 1e300) {
        double kept = keep_of_memory(L, 0.0, during, change), least = LEAST_YIELD * L.yield_stress;
        double most = (kept * before.mu + (1.0 - kept) * L.rest) * pressure;
        flow = L.hardening > 0.0 ? harden(L, most, pressure, before, motion, during, time)
                                 : find_flow(L, most, before.tau, motion);
        hardens = harden_by(L, during, time);
        tau = before.tau + hardens * flow.plastic;
        if (tau < least) {
            tau = least;
            hardens = 0.0;
        }
    }
    double mu = remember(L, before.mu, motion - flow.plastic, during, time, by_slip);
    bool slides = flow.slides || !(mu * pressure > tau);
    if (!slides) return {tau, {mu, tau}, flow.plastic, -hardens * flow.by_motion, 0.0};
    return {mu * pressure, {mu, tau}, flow.plastic, -pressure * by_slip * (1.0 - flow.by_motion), 0.0};
}

__device__ double measure(double x, double y) {
    double square = x * x + y * y;
    return square < 1e300 ? sqrt(square) : 1e300;
}

// Where a particle arrives at a place: its memory at the place before, or that of rest.
__device__ State carry_on(const Law &L, int steady, double time, i64 skipped, State state) {
    if (skipped < 0 || !steady) return {L.rest, L.yield_stress};
    if (skipped == 0) return state;
    double change, kept = keep_of_memory(L, 0.0, time, change), share = 1.0;
    for (i64 k = 0; k < skipped; k++) share *= kept;
    return {L.rest + share * (state.mu - L.rest), L.yield_stress};
}

__device__ Slide meet_law(const Law &L, double reach, double time, double pressure, double unit,
                          double scale, double rho, State before, double px, double py, double sx, double sy) {
    Slide found = slide(L, reach, time, pressure, before, scale * sqrt(sx * sx + sy * sy));
    double zx = px - rho * sx, zy = py - rho * sy, g = found.bound / unit, size = sqrt(zx * zx + zy * zy);
    if (size <= g) {
        found = slide(L, reach, time, pressure, before, 0.0);
        found.fall = 0.0;
        found.miss = measure(px - zx, py - zy);
    } else {
        double f = g / size;
        found.miss = measure(px - f * zx, py - f * zy);
    }
    found.bound /= unit;
    return found;
}

extern "C" {

__global__ void follow_laws(ELEMENTS, MEMBERS, WAYS, RULE, double *x, const double *z, const double *held,
                            const double *centred, double *shares, double *errors) {
    HEAD
    i64 k = kind[m];
    int ne = NS * h;
    if (which[k] != number) return;
    Law L = {form, kinetic, first, first_speed, second, second_speed, table, knots,
             rest, distance, background, yield_stress, hardening, tie, exact};
    double *limit = (double *)bound + k * ne, *flow = plastic + k * ne;
    const double *load = pressure + k * ne;
    double worst = 0.0, doubt = 0.0, steep = 0.0, scale = unit[k] / rho_unit;
    for (int r = threadIdx.x; r < rows; r += blockDim.x) {
        State here = {0.0, 0.0}, there = here;
        bool apart = false;
        for (i64 q = begins[r]; q < begins[r + 1]; q++) {
            int e = (int)order[q], o = e % h, below = e >= h;
            i64 at = m * ne + e;
            here = carry_on(L, steady, time[k], skipped[q], here);
            if (apart) there = carry_on(L, steady, time[k], skipped[q], there);
            double w = weight[o];
            Field X = unfold(x, m, count, all, h, o, w), S = unfold(z, m, count, wide, h, o, w), H = {0, 0, 0, 0}, D = H;
            if (t) {
                H = unfold(held, m, count, wide, h, o, w);
                D = share_slip(E, M, m, o, H, unfold(centred, m, count, wide, h, o, w), c[2]);
            }
            S = times(1.0 / tau, add(S, -1.0, X));
            D = add(S, 1.0, D);
            H = add(S, 1.0, H);
            double px = below ? X.xb : X.xa, py = below ? X.yb : X.ya, sx = below ? D.xb : D.xa, sy = below ? D.yb : D.ya;
            double hx = below ? H.xb : H.xa, hy = below ? H.yb : H.ya;
            if (!(load[e] > 0.0)) {
                limit[e] = flow[e] = 0.0;
                worst = fmax(worst, measure(px, py));
                here = {slide(L, reach[e], time[k], 0.0, here, 0.0).after.mu, yield_stress};
                if (apart) there = {slide(L, reach[e], time[k], 0.0, there, 0.0).after.mu, yield_stress};
                if (t) {
                    shares[at] = sticks[at];
                    shares[count * ne + at] = glides[at];
                }
                continue;
            }
            double stick = t ? sticks[at] : 0.0, glide = t ? glides[at] : 0.0, rho = find_rho(E, stick, glide, e);
            State before = apart ? there : here;
            Slide found = meet_law(L, reach[e], time[k], load[e], unit[k], scale, rho, here, px, py, sx, sy);
            here = found.after;
            limit[e] = found.bound;
            flow[e] = found.plastic;
            worst = fmax(worst, found.miss);
            steep = fmax(steep, found.fall / (rho * rho_unit));
            if (!t) continue;
            if (apart || glide > 0.0) {
                found = meet_law(L, reach[e], time[k], load[e], unit[k], scale, rho, before, px, py, hx, hy);
                there = found.after;
                apart = steady;
            }
            double g = fmax(found.bound, LEAST_BOUND * highest * load[e] / unit[k]), sticks_now, glides_now;
            find_shares(E, stick, e, px, py, hx, hy, g, sticks_now, glides_now);
            doubt = fmax(doubt, fmax(fabs(sticks_now - stick), fabs(glides_now - glide)));
            shares[at] = sticks_now;
            shares[count * ne + at] = glides_now;
        }
    }
    largest(worst, errors + m);
    largest(doubt, errors + count + m);
    largest(steep, steepness + k);
    __syncthreads();
    if (t) PAIRS {
            double above = shares[m * ne + o] - sticks[m * ne + o];
            double below = NS == 2 ? shares[m * ne + h + o] - sticks[m * ne + h + o] : 0.0;
            append(E, M, m, o, x, all, unfold(x, m, count, all, h, o, weight[o]), above, below);
        }
}
}
