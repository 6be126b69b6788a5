"""Wheelsets on tracks: where profiles touch, and the forces between them.

Each row imports from those below it only; data passes upwards:

    force_map    forces over shifts and yaw angles, position by position or in batches
    wheel_rail   `tr.wheel_rail`; `problem` checks its input, `assembly` builds its result
    rolling_memory   what a position leaves on the rails for the next one of transient rolling
    wheel_rail_contact, derivatives   the result
    wheel_on_rail   the distance of wheel and rail as a surface, for wheels of crossings
    kinematics   contact functions, conicity, the kinematic wave
    patches      planes, gaps and creepages of patches; normal and tangential contact of each, as tasks that
                 are solved singly or in batches
    search       the contact locus, regions of overlap, near misses; brute force as a check
    geometry     `tr.Track`, `tr.Wheelset`; profiles in place and the pose of a wheelset

Profiles, gauge placement, locus and gaps are computed for a right wheel; a left one is mirrored on the way
in, and its patches on the way out. Frame: x forward, y left, z up; the origin is in the middle of the track,
at the height of the rails' tops.
"""
