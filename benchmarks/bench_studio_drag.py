"""From drag to new picture in Traction Studio: a rolling patch of 40 x 40, a wheelset at 0.5 mm, a train.

A pointer moves over the page in a real Chromium, a move every 40 ms; the page measures from the first move
that an answer covers to the picture that shows it. On a machine that is busy with other things the processor
time of server, solver and browser for a picture says more: it is what an idle core would take. Stops with an
error where there is no Chromium.
"""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright
from processor_time import processor_time
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from studio_browser import SWITCHES, find_chromium, studio_page
from studio_process import running_studio

MOVES = 120
PAUSE = 40  #: ms between moves
MEASURES = "performance.getEntriesByName('drag').map(one => one.duration)"


def circle(box, share):
    """Points on a circle around the middle of the pad."""
    turns, radius = np.linspace(0.0, 4.0 * np.pi, MOVES), share * box["width"]
    x, y = box["x"] + box["width"] / 2 - 7, box["y"] + box["height"] / 2 - 20
    return zip(x + radius * np.cos(turns), y + radius * np.sin(turns), strict=True)


def sideways(box, share):
    """Points to and fro along a line."""
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return ((x + share * box["width"] * s, y) for s in np.sin(np.linspace(0.0, 4.0 * np.pi, MOVES)))


#: what is dragged: address, what shows that it is ready, what is taken hold of, its way
DRAGS = {
    "rolling patch, 40 x 40": ("drag/rolling", ".figures dd", "canvas.pad", circle, 0.2),
    "wheelset, 0.5 mm": ("drag/wheelset", ".pairs dd", "canvas.pad", sideways, 0.012),
    "train, speed": ("drag/train", ".figures dd", ".drag-board canvas", sideways, 0.25),
}


def drag(page, address, ready, handle, way, share):
    """Milliseconds from move to picture, one for each picture, and processor time in all."""
    page.open(address)
    page.tab.locator(ready).first.wait_for()
    page.tab.wait_for_timeout(2000)
    page.tab.evaluate("performance.clearMeasures('drag')")
    box = page.tab.locator(handle).first.bounding_box()
    held, before = False, processor_time()
    for x, y in way(box, share):
        page.tab.mouse.move(x, y)
        if not held:
            page.tab.mouse.down()
            held = True
        page.tab.wait_for_timeout(PAUSE)
    page.tab.mouse.up()
    spent = processor_time() - before
    page.tab.wait_for_timeout(1000)
    return np.array(page.tab.evaluate(MEASURES)), 1e3 * spent


def main():
    program = find_chromium()
    if program is None:
        raise SystemExit("there is no Chromium to measure with")
    table = Table(title=f"From drag to picture; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for head in ("dragged", "pictures", "median (ms)", "95 % (ms)", "CPU (ms)"):
        table.add_column(head, justify="left" if head == "dragged" else "right")
    with (
        tempfile.TemporaryDirectory() as folder,
        running_studio(folder) as studio,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=program, args=list(SWITCHES))
        there = studio.get("/api/info")["live"]
        for name, (address, *how) in DRAGS.items():
            if address.removeprefix("drag/") not in there:
                continue
            with studio_page(browser, studio) as page:
                times, spent = drag(page, address, *how)
            row = (np.median(times), np.quantile(times, 0.95), spent / len(times))
            table.add_row(name, str(len(times)), *(f"{value:.0f}" for value in row))
        browser.close()
    Console().print(table)


if __name__ == "__main__":
    main()
