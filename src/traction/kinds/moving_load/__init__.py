"""Kind "moving-load": axles cross a beam.

`schema` describes and checks a case, `run` takes samples of the whole crossing, `findings` marches exact
modes to compare with and keeps what is drawn, and `report` reads all this.
"""
