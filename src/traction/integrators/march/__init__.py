"""Marches in time: `time_march` takes steps until the end.

`step_control` chooses their length, `stepping` takes single ones, `events` and `event_location` find contacts
inside a step, `free_flight` moves a body that flies exactly, `march_record` keeps what is asked for.
"""
