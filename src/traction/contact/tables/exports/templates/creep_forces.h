/* Creep forces of rolling contact, from a table@WRITTEN@.
 *
@FACTS@ */
#ifndef @GUARD@
#define @GUARD@

#ifdef __cplusplus
extern "C" {
#endif

/* Forces on body 1 and their derivatives; nothing is allocated, and threads may call it at the same time.
 *
 * creepage    xi, eta (-) and spin phi (rad/m): the rigid slip of body 1 relative to body 2 is
 *             (xi - phi y, eta + phi x) times the rolling speed; x points along the direction of rolling
 * a, b        semi-axes of the contact ellipse along x and y, m
 * load        normal force N, N
 * friction    coefficient of friction mu
 * force       Fx, Fy (N) and Mz (N m)
 * jacobian    derivatives of Fx, Fy, Mz by xi, eta, phi, row by row, or NULL
 *
 * Without load or friction all results are 0. They are NaN where a/b is outside the table, where load,
 * friction or a semi-axis is negative, and where an argument is not a number.
 */
void @NAME@(const double creepage[3], double a, double b, double load, double friction, double force[3],
            double jacobian[9]);

/* Derivatives of Fx, Fy, Mz by log(a/b) with sqrt(a b) held; 0 where the table has one a/b only. */
void @NAME@_by_ratio(const double creepage[3], double a, double b, double load, double friction,
                     double derivative[3]);

#ifdef __cplusplus
}
#endif

#endif
