"""Many crossings.

`resonance` sweeps trains of forces over their speed (compiled), `crossing_resonance` trains of wheels;
`compare_methods` determines accuracy, stability and cost of all integration methods on one crossing.
"""
