"""Marches in time: `time_march` takes steps until the end.

`step_control` chooses their length, `stepping` takes single ones, `events` and `event_location` find contacts
inside a step, `free_flight` moves a flying body exactly, `march_record` stores the states.
"""
