"""What draws the Studio's pictures: its own modules beside plotly's JavaScript from its wheel.

Bytes of both, raw and compressed; time to load and evaluate them on a cold page; from new data to the painted
picture for a traction map of 40 x 40 with arrows and stick and slip, a history of 10,000 points with a
cursor, a cursor that moves over it, and a surface of 64 x 64; and what the Studio's content security policy
refuses of each. On a busy machine the processor time of the browser for a picture says more than the clock.
Chromium draws without a graphics card here. Plotly's surfaces need WebGL, which is then done by software, and
are quicker with a card. Canvases are rasterized within the time to the picture, plotly's SVG after it: of
that only the processor time is counted. Skipped with a message where there is no Chromium or no plotly:

    python benchmarks/bench_studio_drawing.py [plotly.min.js]
"""

import gzip
import os
import statistics
import sys
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

from processor_time import processor_time
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from studio_browser import SWITCHES, find_chromium
from traction.studio.server.guard import POLICY
from traction.studio.server.served_files import find_page_file, media_type

HERE = Path(__file__).parent / "studio_drawing"
#: WebGL without a graphics card
WEBGL = [
    *(one for one in SWITCHES if one != "--disable-gpu"),
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
LOADS, PICTURES, FIRST = 7, 40, 5
SIDES = ("studio", "plotly")
NAMES = {
    "patch": "map 40 x 40, arrows, stick and slip",
    "history": "history of 10,000 points, cursor",
    "cursor": "cursor moved over 10,000 points",
    "surface": "surface 64 x 64",
}
#: what plotly needs beyond the Studio's policy
LAX = POLICY.replace("script-src 'self'", "script-src 'self' 'unsafe-eval'").replace(
    "style-src 'self'", "style-src 'self' 'unsafe-inline'"
)
PAGE = """<!doctype html><html lang="en" data-theme="auto"><title>drawing</title>
<link rel="stylesheet" href="/static/styles/base.css"><link rel="stylesheet" href="/static/styles/views.css">
<script src="/bench/refused.js"></script>{before}
<body><div id="host" class="card"></div><script type="module" src="/bench/{side}.js"></script></body></html>
"""


class Files(SimpleHTTPRequestHandler):
    """Files of the Studio's page, of plotly and of this benchmark, under a content security policy."""

    protocol_version = "HTTP/1.1"

    def __init__(self, plotly, *rest):
        self.plotly = plotly
        super().__init__(*rest)

    def do_GET(self):
        """A file, or a page of the benchmark; `?lax` relaxes its policy."""
        path, _, query = self.path.partition("?")
        body, kind = self._find(path)
        self.send_response(200 if body is not None else 404)
        self.send_header("content-security-policy", LAX if query == "lax" else POLICY)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def _find(self, path):
        side = path.removeprefix("/page/")
        if side in SIDES:
            before = '<script src="/plotly.min.js"></script>' if side == "plotly" else ""
            return PAGE.format(side=side, before=before).encode(), "text/html; charset=utf-8"
        found = self.plotly if path == "/plotly.min.js" else find_page_file(path)
        if path.startswith("/bench/"):
            found = HERE / Path(path).name
        if found is None or not found.is_file():
            return None, "text/plain"
        return found.read_bytes(), media_type(found)

    def log_message(self, *words):
        """Silence."""


@contextmanager
def serving(plotly):
    """A server on this machine; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, plotly))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def cold_page(browser, address):
    """A page in a context without a cache, once its scripts are evaluated; None where they fail."""
    context = browser.new_context(viewport={"width": 800, "height": 900})
    page = context.new_page()
    page.goto(address)
    page.wait_for_function("performance.getEntriesByName('ready').length", timeout=60_000)
    try:
        yield page
    finally:
        context.close()


def measure_load(browser, address, side):
    """Milliseconds from the request of a page to its evaluated scripts, and processor time, medians."""
    taken, spent = [], []
    for _ in range(LOADS):
        before = processor_time()
        with cold_page(browser, f"{address}/page/{side}?lax") as page:
            taken.append(page.evaluate("performance.getEntriesByName('ready')[0].startTime"))
        spent.append(1e3 * (processor_time() - before))
    return statistics.median(taken), statistics.median(spent)


def measure_size(browser, address, side, plotly):
    """Bytes of the scripts that draw, raw and compressed, and how many files they are."""
    if side == "plotly":
        texts = [plotly.read_bytes()]
    else:
        with cold_page(browser, f"{address}/page/{side}") as page:
            names = page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
        paths = [name.removeprefix(address) for name in names if name.endswith(".js") and "/static/" in name]
        texts = [find_page_file(path).read_bytes() for path in paths]
    return sum(map(len, texts)), sum(len(gzip.compress(text)) for text in texts), len(texts)


def measure_pictures(browser, address, side, name):
    """Milliseconds from data to picture, median and 95 %, and processor time for each."""
    with cold_page(browser, f"{address}/page/{side}?lax") as page:
        page.evaluate(f"bench.run('{name}', {FIRST})")  # the first ones compile
        before = processor_time()
        taken = page.evaluate(f"bench.run('{name}', {PICTURES})")
        spent = 1e3 * (processor_time() - before) / PICTURES
    return statistics.median(taken), statistics.quantiles(taken, n=20)[-1], spent


def refused(browser, address, side, name):
    """What the Studio's own policy refuses of a picture, or how the picture fails."""
    with cold_page(browser, f"{address}/page/{side}") as page:
        try:
            page.evaluate(f"bench.run('{name}', 1)")
            page.mouse.move(300, 200)
            page.wait_for_timeout(300)
        except Exception as error:
            return f"fails: {str(error).splitlines()[0][:60]}"
        return ", ".join(page.evaluate("[...refused]")) or "nothing"


def find_plotly(given):
    """plotly's JavaScript: the file that is given, or that of the installed wheel."""
    if given:
        return Path(given[0])
    found = find_spec("plotly")
    return None if found is None else Path(found.origin).parent / "package_data" / "plotly.min.js"


def compare(browser, webgl, address, plotly):
    """All measurements, side by side; plotly's surface in the browser with WebGL."""
    table = Table(
        title=f"Studio's modules beside plotly; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    for head in ("", "Studio", "plotly", "plotly / Studio"):
        table.add_column(head, justify="right" if head else "left")

    def row(words, ours, theirs, unit):
        table.add_row(
            words, *(f"{one:,.0f} {unit}" for one in (ours, theirs)), f"{theirs / max(ours, 1e-9):.1f}"
        )

    sizes = [measure_size(browser, address, side, plotly) for side in SIDES]
    row("script, raw", sizes[0][0] / 1e3, sizes[1][0] / 1e3, "kB")
    row("script, gzip", sizes[0][1] / 1e3, sizes[1][1] / 1e3, "kB")
    row("files", sizes[0][2], sizes[1][2], "")
    loads = [measure_load(browser, address, side) for side in SIDES]
    row("cold page until evaluated", loads[0][0], loads[1][0], "ms")
    row("  processor", loads[0][1], loads[1][1], "ms")
    for name, words in NAMES.items():
        browsers = (browser, webgl if name == "surface" else browser)
        both = list(zip(browsers, SIDES, strict=True))
        ours, theirs = (measure_pictures(one, address, side, name) for one, side in both)
        row(f"{words}, median", ours[0], theirs[0], "ms")
        row("  95 %", ours[1], theirs[1], "ms")
        row("  processor", ours[2], theirs[2], "ms")
        table.add_row(
            "  refused by the policy", *(refused(one, address, side, name) for one, side in both), ""
        )
    return table


def main():
    program, plotly = find_chromium(), find_plotly(sys.argv[1:])
    if program is None or find_spec("playwright") is None:
        print("skipped: there is no Chromium, or no playwright to drive it")
        return
    if plotly is None or not plotly.is_file():
        print("skipped: plotly is not installed (pip install plotly); it is needed for the comparison only")
        return
    from playwright.sync_api import sync_playwright

    with serving(plotly) as address, sync_playwright() as driver:
        browsers = [
            driver.chromium.launch(executable_path=program, args=list(one)) for one in (SWITCHES, WEBGL)
        ]
        table = compare(*browsers, address, plotly)
        for one in browsers:
            one.close()
    Console().print(table)


if __name__ == "__main__":
    main()
