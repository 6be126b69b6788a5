"""Traction Studio: cases, runs and results in a browser, served on this machine only.

`settings` are its limits and its workspace, `messages` what it answers; `serve` starts it. A request passes
`server.guard` and a route of `server`. Runs are child processes of `jobs`; what needs a solver or much
reading is asked of a desk, a child process that answers calls: `forms` describes and checks scenarios,
`views` reads stored results, `live` solves what is dragged; both draw patches as `patch_scenes`. `workspace`
finds runs and sweeps. `page` is what the browser shows.
"""
