"""Draws images/studio_*.png: what Traction Studio looks like in a real Chromium, with built-in cases."""

import io
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from studio_browser import SWITCHES, find_chromium, studio_page
from studio_process import running_studio

FOLDER = Path(__file__).parent / "images"
CASES = (
    "ball-on-plate", "shifted-ball", "flat-wheel", "bouncing-ball", "hslm-resonance",
    "wheel-rail-benchmark",
)  # fmt: skip
#: a sweep whose map shows resonance
VARIED = {"speed": "20:60:17 m/s", "beam.length": "10:25:7 m"}
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 400, "height": 800}
ANSWERED = ".figures dd, .pairs dd, pre:not(:empty)"
CURVE = "() => performance.getEntriesByType('resource').some(one => one.name.endsWith('live/creep-curve'))"
#: no solver compiles
SETTLED = "() => [...document.querySelectorAll('.problem')].every(one => !one.textContent)"
COLOURS, EXACT = 256, 32  #: of a picture, which keeps it small, and those of its largest areas


def save(name, *pictures):
    """Pictures side by side, in few colours."""
    parts = [Image.open(io.BytesIO(one)).convert("RGB") for one in pictures]
    wide = sum(one.width for one in parts) + 24 * (len(parts) - 1)
    whole = Image.new("RGB", (wide, parts[0].height), "#808080")
    left = 0
    for one in parts:
        whole.paste(one, (left, 0))
        left += one.width + 24
    reduce_colours(whole).save(FOLDER / f"studio_{name}.png", optimize=True)


def reduce_colours(whole):
    """The picture in few colours: areas keep theirs exactly, the others cover what is left."""
    frequent = sorted(whole.getcolors(whole.width * whole.height), reverse=True)[:EXACT]
    others = whole.quantize(COLOURS - EXACT, method=Image.Quantize.MAXCOVERAGE).getpalette()
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in frequent for part in colour] + others[: 3 * (COLOURS - EXACT)])
    return whole.quantize(palette=palette, dither=Image.Dither.NONE)


def look(page, route, *, wait=1200, ready=None, act=None):
    """A picture of the window at an address."""
    page.open(route)
    if ready:
        page.tab.locator(ready).first.wait_for()
    page.tab.wait_for_function(SETTLED)
    if act:
        act(page.tab)
    page.tab.wait_for_timeout(wait)
    return page.tab.screenshot()


def scroll_to_patches(tab):
    """Both patches of a wheelset, below it."""
    tab.mouse.move(640, 500)
    tab.mouse.wheel(0, 330)


SCROLLS = {"wheelset": scroll_to_patches}


def type_wrong(tab):
    """A value that cannot be, to show how it is explained."""
    tab.locator('[data-path="fall.height"] input').fill("-1 m")
    tab.locator('[data-path="fall.height"] .error').filter(has_text="negative").wait_for()
    tab.mouse.move(400, 400)
    tab.mouse.wheel(0, 200)


def drag_creepages(tab):
    """A handle that is held in the middle of a drag."""
    box = tab.locator("canvas.pad").bounding_box()
    tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 0.66 * box["width"], box["y"] + 0.3 * box["height"], steps=8)
    tab.mouse.up()
    tab.wait_for_function(CURVE)


def draw(browser, studio):
    """All pictures of the documentation."""
    runs = {name: studio.start(studio.get(f"/api/cases/{name}")["toml"]) for name in CASES}
    for key in runs.values():
        studio.wait_for(key, "done")
    again = studio.get("/api/cases/bouncing-ball")["toml"].replace('height = "1 m"', 'height = "0.6 m"')
    other = studio.start(again)
    studio.wait_for(other, "done")
    varied = {"toml": studio.get("/api/cases/equal-axles")["toml"], "vary": VARIED, "workers": 2}
    swept = studio.post("/api/sweeps", varied, 201)["id"]
    while studio.get(f"/api/sweeps/{swept}")["report"] != "ready":
        time.sleep(1.0)
    shown = '[data-state="done"] .panel canvas'
    with studio_page(browser, studio, viewport=DESK) as page:
        save("start", look(page, ""))
        save("form", look(page, "case/bouncing-ball", act=type_wrong))
        save("run", look(page, f"run/{runs['shifted-ball']}?sample=10", ready=shown))
        save("crossing", look(page, f"run/{runs['flat-wheel']}", ready=shown))
        save("resonance", look(page, f"run/{runs['hslm-resonance']}", ready=shown))
        rails = f"run/{runs['wheel-rail-benchmark']}?sample=12"
        save("rails", look(page, rails, ready=shown, act=lambda tab: tab.mouse.wheel(0, 230)))
        save("sweep", look(page, f"sweep/{swept}", ready=".run-head .state.done", wait=2500))
        save("compare", look(page, f"compare/{runs['bouncing-ball']}/{other}", ready="canvas"))
        save("rolling", look(page, "drag/rolling", ready=ANSWERED, act=drag_creepages, wait=2500))
        for name in ("train", "wheelset", "friction"):
            if name in studio.get("/api/info")["live"]:
                save(name, look(page, f"drag/{name}", ready=ANSWERED, act=SCROLLS.get(name), wait=2500))
    with studio_page(browser, studio, viewport=PHONE, color_scheme="dark") as page:
        pair = look(page, ""), look(page, f"run/{runs['shifted-ball']}", ready=shown)
        save("phone", *pair, look(page, "drag/rolling", ready=ANSWERED, act=drag_creepages, wait=2500))


def main():
    """A studio, a browser, and all pictures."""
    program = find_chromium()
    if program is None:
        raise SystemExit("there is no Chromium to draw with")
    with (
        tempfile.TemporaryDirectory() as folder,
        running_studio(Path(folder) / "studies") as studio,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=program, args=list(SWITCHES))
        draw(browser, studio)
        browser.close()


if __name__ == "__main__":
    main()
