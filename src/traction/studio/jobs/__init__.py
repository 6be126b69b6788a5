"""The server's side of its child processes: `desk` asks, `run_job` follows a run, `job_queue` starts them in turn."""
