"""Routes by subject: each reads a request, and answers it with what `studio` holds.

A user starts from a case of `desk_routes`, runs and follows it by `run_routes` or `sweep_routes`, then looks
and drags by `desk_routes`. `application` beside this folder lists them.
"""
