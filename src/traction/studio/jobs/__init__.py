"""The server's side of its child processes.

`desk` asks one that answers, `run_job` follows a run, `job_queue` starts runs in turn; `changes` tells of
them.
"""
