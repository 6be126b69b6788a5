"""Time integration of M a + C v + K q = f(t, q, v) by eleven methods.

Each row imports from those below it only:

    integrate        `tr.integrate`: checks, marches, returns a `history`
    march            steps of controlled length; events located inside a step; free flight
    compiled_march   the same formulas in compiled code, where all functions are compiled
    stability        amplification of an oscillation by one step
    methods          one file each, listed in `method_table`; formulas once, in `methods.kernels`
    core             state, system, motion and the contract of a method
"""
