"""Methods of `tr.impact`, one file each; each takes an `ImpactProblem` and returns an `ImpactSolution`.

`modal_method` is exact to its tolerance and takes every law; `small_increment_method` is of order 1;
`energy_method` finds one half sine, from which `picard_method` iterates.
"""
