"""A child process that answers calls: forms, checks, views of stored runs, solutions of what is dragged."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable
from importlib import import_module

from traction.errors import TractionError
from traction.studio.messages import RefusedError, to_json
from traction.studio.processes.server_link import ChildPipe, limit_memory

#: tasks by name: the module below `traction.studio`, and the function
TASKS = {
    "cases": "forms.case_list:list_cases",
    "case": "forms.case_list:describe_case",
    "kinds": "forms.case_list:list_kinds",
    "schema": "forms.form:describe_form",
    "check": "forms.checked_case:check_case",
    "check_sweep": "forms.checked_sweep:check_sweep",
    "views": "views.view_choice:list_views",
    "view": "views.view_data:read_view",
    "frames": "views.frames:read_frames",
    "details": "views.run_details:describe_details",
    "export": "views.run_details:export_samples",
    "crossing": "views.run_details:describe_crossing",
    "compare": "views.comparison:compare_runs",
    "compare_series": "views.comparison:compare_series",
    "sweep": "views.sweep_table:describe_sweep",
    "sweep_map": "views.sweep_table:map_sweep",
    "live": "live.drags:describe_drag",
    "drag": "live.drags:solve_drag",
}


def main() -> None:
    """Answer one call after the other until the server ends."""
    pipe = ChildPipe()
    calls = pipe.receive()
    limit_memory(next(calls, {}).get("memory"))
    warnings.simplefilter("ignore")  # results carry what a reader must know
    for call in calls:
        status, body = answer(str(call["task"]), call.get("arguments"))
        pipe.send({"status": status}, body)


def answer(task: str, arguments: object) -> tuple[int, bytes]:
    """Status and JSON of a call; nothing that goes wrong in it ends the process."""
    try:
        given = arguments if isinstance(arguments, dict) else {}
        return 200, to_json(find_task(task)(**given))
    except RefusedError as refused:
        return refused.status, to_json(refused.body)
    except TractionError as error:
        return 422, to_json({"error": str(error)})
    except MemoryError:
        return 422, to_json({"error": "this does not fit in the memory that the studio may use."})
    except Exception as error:
        traceback.print_exc()
        return 500, to_json({"error": f"{type(error).__name__}: {error}. This is a bug in Traction."})


def find_task(task: str) -> Callable[..., object]:
    """The function of a task."""
    module, _, name = TASKS[task].partition(":")
    found: Callable[..., object] = getattr(import_module(f"traction.studio.{module}"), name)
    return found


if __name__ == "__main__":
    main()
