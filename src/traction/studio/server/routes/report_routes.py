"""Routes of reports.

A report is a page with a script of its own, which the policy of the studio would not run. It is shown in a
tab under a random address that is good for one visit within a minute, in a sandbox: its script can reach
neither the studio nor the network.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from traction.studio.server.answers import json_answer
from traction.studio.server.studio import Studio
from traction.studio.workspace.run_entry import REPORT
from traction.studio.workspace.run_files import find_file

POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; frame-ancestors 'none'"
)


async def link_report(request: Request, studio: Studio) -> Response:
    """A new address of the report of a run or a sweep."""
    place = studio.workspace.find(request.path_params["id"])
    return json_answer({"url": f"/report/{studio.links.give(find_file(place, REPORT))}"}, 201)


async def send_report(request: Request, studio: Studio) -> Response:
    """The report at such an address."""
    file = studio.links.take(request.path_params["name"])
    headers = {"content-security-policy": POLICY, "cache-control": "no-store"}
    return FileResponse(file.path, media_type="text/html; charset=utf-8", headers=headers)
