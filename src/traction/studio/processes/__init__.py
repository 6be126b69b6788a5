"""Child processes: `run_process` runs one case, `desk_process` answers calls, both through a `child_pipe`.

They speak lines of JSON. Whatever else prints goes to the standard error, and both end when the server does.
"""
