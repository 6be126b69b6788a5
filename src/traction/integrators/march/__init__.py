"""Marches in time: `time_march` takes steps until the end.

`stepping` chooses their length and takes single ones, `events` and `event_location` find contacts inside a
step and at the end of a free flight, which is exact, `march_record` stores the states.
"""
