"""Kinds of scenarios: schema of the file, run and report.

Each kind is a folder with `schema` (describes and checks), `run` (computes and stores) and `report` (reads);
`kind` defines their contract, `registry` lists them, `tables` holds schemas that several kinds share.
Data passes in this order: `case` makes a file a checked `Scenario`, `simulate` runs it into a store,
`report_run` writes the page of a finished run with `report_tables`. `sweep` runs many scenarios. `library`
holds the scenarios that come with the package.
"""
