"""Kind "cross": a train crosses a bridge.

`schema` describes and checks a case. `run` marches it from sample to sample: `case_march` prepares the
march of `tr.cross` and cuts it, `driven_samples` rolls driven wheels, and `findings` marches what the run
is compared with and keeps what is drawn. `report` reads all this, with `drive_report` (`rolled_wheels`
restores the rolling from samples).
"""
