"""Child processes: what computes never runs in the server.

`run_process` runs a case or a sweep, `desk_process` answers calls; `server_link` is the pipe through which
they tell the server and hear from it, in lines of JSON.
Whatever else prints goes to the standard error, and all end when the server does.
"""
