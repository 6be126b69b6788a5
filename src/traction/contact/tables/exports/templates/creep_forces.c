/* Creep forces of rolling contact, from a table@WRITTEN@. C99; link with the mathematical library.
 *
@FACTS@ *
 * With c = sqrt(a b), creepages are reduced to x = G c^2 C11 xi/(3 mu N), y = G c^2 C22 eta/(3 mu N) and
 * w = G c^3 Cs phi/(mu N), forces to Fx/(mu N), Fy/(mu N) and Mz/(mu N c); these are cubic splines over
 * log(a/b) and three bounded coordinates. Stored are x, y >= 0: Fx alone turns its sign with x; Fy and Mz
 * turn theirs where y and w do.
 */
#include "@HEADER@"

#include <math.h>
#include <stddef.h>

@TABLE@
#define ORDER 4           /* functions of a cubic spline that are not zero at a place */
#define ROW (3 * ORDER)   /* coefficients of one row: those of three forces along the last coordinate */

struct shape {
    double weight[ORDER]; /* of the splines of neighbouring ratios a/b */
    int first, count;
};

/* The least i with knots[i] <= place < knots[i + 1], in the range of the spline. */
static int find_interval(const double *knots, int count, double place)
{
    int low = ORDER - 1, high = count - ORDER;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (place < knots[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* The four functions that are not zero between knots i and i + 1, and their slopes; returns i - 3. */
static int find_functions(const double *knots, int count, double place, double value[ORDER],
                          double slope[ORDER])
{
    const int i = find_interval(knots, count, place);
    const double *t = knots + i;
    const double l1 = place - t[0], l2 = place - t[-1], l3 = place - t[-2];
    const double r1 = t[1] - place, r2 = t[2] - place, r3 = t[3] - place;
    double e0 = r1 / (r1 + l1) / (r1 + l2), e1 = l1 / (r1 + l1) / (r2 + l1), e2;
    const double b0 = r1 * e0, b1 = l2 * e0 + r2 * e1, b2 = l1 * e1;
    e0 = b0 / (r1 + l3);
    e1 = b1 / (r2 + l2);
    e2 = b2 / (r3 + l1);
    value[0] = r1 * e0;
    value[1] = l3 * e0 + r2 * e1;
    value[2] = l2 * e1 + r3 * e2;
    value[3] = l1 * e2;
    slope[0] = -3.0 * e0;
    slope[1] = 3.0 * (e0 - e1);
    slope[2] = 3.0 * (e1 - e2);
    slope[3] = 3.0 * e2;
    return i - 3;
}

/* The ratios a/b beside log(a/b), and the three creep coefficients there; in `slope` and `growth` the
 * derivatives of the weights, and of the logarithms of the coefficients. */
static void find_shape(double place, struct shape *shape, double coefficient[3], struct shape *slope,
                       double growth[3])
{
    int k, m;
#if RATIOS > 1
    shape->first = find_functions(ratio_knots, RATIOS + ORDER, place, shape->weight, slope->weight);
    shape->count = ORDER;
#else
    (void)place;
    shape->weight[0] = 1.0;
    slope->weight[0] = 0.0;
    shape->first = 0;
    shape->count = 1;
#endif
    slope->first = shape->first;
    slope->count = shape->count;
    for (k = 0; k < 3; ++k) {
        double sum = 0.0;
        growth[k] = 0.0;
        for (m = 0; m < shape->count; ++m) {
            sum += shape->weight[m] * scales[k * RATIOS + shape->first + m];
            growth[k] += slope->weight[m] * scales[k * RATIOS + shape->first + m];
        }
        coefficient[k] = exp(sum);
    }
}

/* Values of the three splines, and their derivatives by the three coordinates, by[coordinate][spline]. */
static void interpolate(const struct shape *shape, const double place[3], double f[3], double by[3][3])
{
    double b1[ORDER], d1[ORDER], b2[ORDER], d2[ORDER], b3[ORDER], d3[ORDER];
    double whole[ROW] = {0.0}, along[ROW] = {0.0}, across[ROW] = {0.0};
    const int i = find_functions(knots_1, SIZE_1 + ORDER, place[0], b1, d1);
    const int j = find_functions(knots_2, SIZE_2 + ORDER, place[1], b2, d2);
    const int k = find_functions(knots_3, SIZE_3 + ORDER, place[2], b3, d3);
    int m, n, o, p, q;
    for (q = 0; q < ORDER; ++q) {
        double value[ROW] = {0.0}, slope[ROW] = {0.0};
        for (p = 0; p < ORDER; ++p) {
            double row[ROW] = {0.0};
            for (m = 0; m < shape->count; ++m) {
                const double weight = shape->weight[m];
                const double *c = coefficients
                    + 3 * ((((shape->first + m) * SIZE_1 + i + p) * SIZE_2 + j + q) * SIZE_3 + k);
                for (n = 0; n < ROW; ++n)
                    row[n] += weight * c[n];
            }
            for (n = 0; n < ROW; ++n) {
                value[n] += b1[p] * row[n];
                slope[n] += d1[p] * row[n];
            }
        }
        for (n = 0; n < ROW; ++n) {
            whole[n] += b2[q] * value[n];
            along[n] += b2[q] * slope[n];
            across[n] += d2[q] * value[n];
        }
    }
    for (o = 0; o < 3; ++o) {
        f[o] = by[0][o] = by[1][o] = by[2][o] = 0.0;
        for (n = 0; n < ORDER; ++n) {
            f[o] += b3[n] * whole[3 * n + o];
            by[0][o] += b3[n] * along[3 * n + o];
            by[1][o] += b3[n] * across[3 * n + o];
            by[2][o] += d3[n] * whole[3 * n + o];
        }
    }
}

#if POLAR

/* Reduced forces of x, y >= 0 and w, and derivatives by x, y and w, by[creepage][force].
 * Coordinates are s = r/(r + radius), azimuth and latitude; the forces are s times the splines. */
static void reduced_forces(const double creepage[3], const struct shape *shape, double f[3], double by[3][3])
{
    const double x = creepage[0], y = creepage[1], w = creepage[2];
    const double flat = hypot(x, y), r = hypot(flat, w), scale = 1.0 / (r + radius), s = r / (r + radius);
    const double grow = radius * scale * scale, azimuth = atan2(y, x);
    const double ca = cos(azimuth), sa = sin(azimuth), sine = r > 0.0 ? w / r : 0.0;
    const double cosine = r > 0.0 ? flat / r : 1.0;
    double place[3], g[3], slope[3][3];
    int k, o;
    place[0] = s;
    place[1] = azimuth;
    place[2] = atan2(w, flat);
    interpolate(shape, place, g, slope);
    for (o = 0; o < 3; ++o)
        f[o] = s * g[o];
    if (cosine < POLE) { /* along the meridians of x and of y, on which splines are smooth */
        const double half_pi = 2.0 * atan(1.0);
        place[2] = copysign(half_pi, w);
        for (k = 1; k >= 0; --k) {
            place[1] = k * half_pi;
            interpolate(shape, place, g, slope);
            for (o = 0; o < 3; ++o)
                by[k][o] = -copysign(scale, w) * slope[2][o];
        }
        for (o = 0; o < 3; ++o)
            by[2][o] = copysign(grow, w) * (g[o] + s * slope[0][o]);
        return;
    }
    for (o = 0; o < 3; ++o) {
        const double out = g[o] + s * slope[0][o], turn = scale / cosine * slope[1][o];
        const double rise = scale * slope[2][o];
        by[0][o] = grow * cosine * ca * out - sa * turn - sine * ca * rise;
        by[1][o] = grow * cosine * sa * out + ca * turn - sine * sa * rise;
        by[2][o] = grow * sine * out + cosine * rise;
    }
}

#else

/* Reduced forces of x, y >= 0 and w, and derivatives by x, y and w, by[creepage][force].
 * Coordinates are u = x up to 1 and 2 - 1/x beyond, likewise for y, and for w with its sign. */
static void reduced_forces(const double creepage[3], const struct shape *shape, double f[3], double by[3][3])
{
    double place[3], rate[3];
    int k, o;
    for (k = 0; k < 3; ++k) {
        const double size = fabs(creepage[k]);
        place[k] = size <= 1.0 ? creepage[k] : copysign(2.0 - 1.0 / size, creepage[k]);
        rate[k] = size <= 1.0 ? 1.0 : 1.0 / size / size;
    }
    interpolate(shape, place, f, by);
    for (k = 0; k < 3; ++k)
        for (o = 0; o < 3; ++o)
            by[k][o] *= rate[k];
}

#endif

static void fill(double number, double force[3], double *jacobian)
{
    int k;
    for (k = 0; k < 3; ++k)
        force[k] = number;
    if (jacobian != NULL)
        for (k = 0; k < 9; ++k)
            jacobian[k] = number;
}

/* What forces are computed from: creepages with x, y >= 0, their rates and signs, and the units of forces. */
struct reduction {
    double creepage[3], rate[3], sign[3], unit[3], growth[3];
    struct shape shape, slope;
};

/* Reduce the creepages; returns 1, 0 where there are no forces, and -1 where the table has none. */
static int reduce(const double creepage[3], double a, double b, double load, double friction,
                  struct reduction *r)
{
    const double limit = friction * load;
    double place, c, stiff;
    int k;
    const int sound = load >= 0.0 && friction >= 0.0 && isfinite(limit) && isfinite(creepage[0])
        && isfinite(creepage[1]) && isfinite(creepage[2]);
    if (sound && limit == 0.0)
        return 0;
    place = a > 0.0 && b > 0.0 ? log(a / b) : NAN;
    if (!(sound && place >= least_ratio && place <= largest_ratio))
        return -1;
    c = sqrt(a * b);
    stiff = shear_modulus * c * c / limit;
    find_shape(place, &r->shape, r->rate, &r->slope, r->growth);
    r->rate[0] *= stiff / 3.0;
    r->rate[1] *= stiff / 3.0;
    r->rate[2] *= stiff * c;
    r->sign[0] = creepage[0] < 0.0 ? -1.0 : 1.0;
    r->sign[1] = r->sign[2] = creepage[1] < 0.0 ? -1.0 : 1.0;
    r->unit[0] = r->unit[1] = limit;
    r->unit[2] = limit * c;
    for (k = 0; k < 3; ++k)
        r->creepage[k] = r->sign[k] * r->rate[k] * creepage[k];
    return 1;
}

void @NAME@(const double creepage[3], double a, double b, double load, double friction, double force[3],
            double jacobian[9])
{
    struct reduction r;
    double f[3], by[3][3];
    const int found = reduce(creepage, a, b, load, friction, &r);
    int k, n;
    if (found != 1) {
        fill(found == 0 ? 0.0 : NAN, force, jacobian);
        return;
    }
    reduced_forces(r.creepage, &r.shape, f, by);
    for (k = 0; k < 3; ++k) {
        force[k] = r.unit[k] * r.sign[k] * f[k];
        if (jacobian != NULL)
            for (n = 0; n < 3; ++n)
                jacobian[3 * k + n] = r.unit[k] * r.sign[k] * r.rate[n] * r.sign[n] * by[n][k];
    }
}

void @NAME@_by_ratio(const double creepage[3], double a, double b, double load, double friction,
                     double derivative[3])
{
    struct reduction r;
    double f[3], by[3][3], g[3], unused[3][3];
    const int found = reduce(creepage, a, b, load, friction, &r);
    int k, n;
    if (found != 1) {
        fill(found == 0 ? 0.0 : NAN, derivative, NULL);
        return;
    }
    reduced_forces(r.creepage, &r.shape, f, by);
    reduced_forces(r.creepage, &r.slope, g, unused);
    for (k = 0; k < 3; ++k) {
        double sum = g[k];
        for (n = 0; n < 3; ++n)
            sum += by[n][k] * r.creepage[n] * r.growth[n];
        derivative[k] = r.unit[k] * r.sign[k] * sum;
    }
}
