"""Routes by subject: each reads a request, and answers it with what `studio` holds.

A user first meets `case_routes`, starts by `run_routes` or `sweep_routes`, follows by `event_routes`, looks
by `view_routes` and `report_routes`, and drags by `live_routes`. `application` beside this folder lists
them.
"""
