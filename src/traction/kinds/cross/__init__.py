"""Kind "cross": a train crosses a bridge.

`schema` describes and checks a case. `run` marches it from sample to sample: `case_march` prepares the
march of `tr.cross` and cuts it, `driven_samples` rolls driven wheels, and `findings` marches what the run
is compared with and keeps what is drawn, the same train at other speeds by `speed_study`. `report` reads all
this, with `drive_report`, which restores the rolling from samples.
"""
