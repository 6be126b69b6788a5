"""How the page looks: at a desk and on a phone, light and dark, for all eyes, and with a long history."""

import importlib.util
import os
import time
from pathlib import Path

import pytest

from studio_browser import studio_page

SIZES = {"desk": (1280, 800), "phone": (400, 800)}
FOLDER = os.environ.get("STUDIO_SCREENSHOTS")  #: where the pictures of all pages are kept, if anywhere
AXE = """async () => (await axe.run()).violations.filter(one => ['serious', 'critical'].includes(one.impact))
    .map(one => `${one.id}: ${one.nodes.slice(0, 3).map(node => node.html.slice(0, 150)).join(' | ')}`)"""
UNPLACED = "document.querySelectorAll('.lead code').forEach(one => { one.textContent = 'studies'; })"
BIG = """kind = "moving-load"
title = "Ten thousand samples"
speed = "30 m/s"
[beam]
length = "20 m"
bending_stiffness = "2.08 GN m^2"
mass_per_length = "7900 kg/m"
supports = ["clamped", "clamped"]
[[axle]]
force = "745.56 kN"
[time]
samples = 10001
[output]
points = 5
"""
#: built-in cases whose runs show every kind of view
CASES = (
    "ball-on-plate", "shifted-ball", "driven-roller", "cattaneo-to-carter", "creep-forces", "bouncing-ball",
    "ball-on-beam", "beam-on-obstacle", "bridge-modes", "train-on-bridge", "hslm-resonance", "wheel-at-rest",
    "flat-wheel", "braking-wheel", "creep-law", "falling-friction", "wheel-rail-benchmark",
)  # fmt: skip
ANSWERED = ".figures dd, .pairs dd, pre:not(:empty)"  #: what is dragged has answered
PAGES = ("", "runs", "case/ball-on-plate", "case/braking-wheel", "new/cross", "compare")


@pytest.fixture(scope="module")
def axe():
    """The text of axe-core, which judges whether people of all abilities can use a page."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None:
        pytest.skip("no axe-core: pip install axe-playwright-python")
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def runs(studio):
    """The cases, complete, by name."""
    keys = {name: studio.start(studio.get(f"/api/cases/{name}")["toml"]) for name in CASES}
    for key in keys.values():
        studio.wait(key, lambda run: run["report"] in ("ready", "failed"))
    return keys


@pytest.fixture(scope="module")
def swept(studio):
    """A sweep with a map, complete."""
    toml = BIG.replace("10001", "101").replace("Ten thousand samples", "A load crosses a bridge")
    body = {"toml": toml, "vary": {"speed": "20:60:6 m/s", "beam.length": "12:24:5 m"}, "workers": 2}
    key = studio.post("/api/sweeps", body, 201)["id"]
    while studio.get(f"/api/sweeps/{key}")["report"] not in ("ready", "failed"):
        time.sleep(0.1)
    return key


def _picture(page, path):
    """The whole page; it shows no path of this machine, and the bar that stays in view where it belongs."""
    page.tab.evaluate(UNPLACED)
    page.tab.evaluate("document.querySelectorAll('.go').forEach(one => { one.style.position = 'static'; })")
    page.tab.screenshot(path=path, full_page=True)


def _judge(page, axe):
    page.tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    page.tab.wait_for_timeout(100)
    page.tab.evaluate(axe)
    return page.tab.evaluate(AXE)


@pytest.mark.slow
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_first_pages_suit_everybody(chromium, studio, axe, colours):
    with studio_page(chromium, studio, color_scheme=colours) as page:
        for route in ("", "case/bouncing-ball"):
            page.open(route)
            assert _judge(page, axe) == [], route


@pytest.mark.slow
def test_the_first_pages_fit_a_phone(chromium, studio):
    with studio_page(chromium, studio, viewport={"width": 400, "height": 800}) as page:
        for route in ("", "case/braking-wheel", "drag/train"):
            page.open(route)
            assert page.wide() <= 0, route


@pytest.mark.slow
@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_page_at_every_size_and_colour(chromium, studio, runs, swept, axe, size, colours):
    """No serious violation, nothing wider than the window, no empty drawing; a picture of each to look at."""
    viewport = dict(zip(("width", "height"), SIZES[size], strict=True))
    live = [f"drag/{name}" for name in studio.get("/api/info")["live"] if name != "creep-curve"]
    pages = {route.replace("/", "-") or "start": route for route in (*PAGES, *live)}
    pages |= {name: f"run/{key}" for name, key in runs.items()}
    pages["comparison"] = f"compare/{runs['train-on-bridge']}/{runs['flat-wheel']}"
    pages["sweep"] = f"sweep/{swept}"
    with studio_page(chromium, studio, viewport=viewport, color_scheme=colours) as page:
        page.open("case/equal-axles")
        page.valid()
        page.tab.get_by_role("button", name="Vary values").click()
        page.shown()
        pages["vary"] = page.route()
        for name, route in pages.items():
            page.open(route)
            if name == "sweep":
                page.tab.locator(".run-head .state.done").wait_for()
            if route.startswith("drag"):
                page.tab.locator(ANSWERED).first.wait_for()
            page.tab.wait_for_timeout(800)
            assert page.wide() <= 0, route
            assert all(count > 2 for count in page.colours()), (route, page.colours())
            if FOLDER:
                _picture(page, Path(FOLDER) / f"{name}_{size}_{colours}.png")
            assert _judge(page, axe) == [], route


@pytest.mark.slow
def test_a_history_of_ten_thousand_samples_stays_smooth(page, studio):
    """Frames are drawn in less than a sixtieth of a second of the page's own work, best of several."""
    key = studio.start(BIG)
    studio.wait_for(key, "done")
    page.open(f"run/{key}")
    page.done()
    session = page.context.new_cdp_session(page.tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def work():
        found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        return found["TaskDuration"]

    slider = page.tab.locator(".slider-bar input")
    slider.focus()
    costs = []
    for _ in range(5):
        before = work()
        for _ in range(20):
            page.tab.keyboard.press("ArrowLeft")
        costs.append((work() - before) / 20)
    assert min(costs) < 0.016, costs


@pytest.mark.slow
def test_the_tour_leads_through_the_page(page):
    """Ten steps, forwards by the button that has the focus, from the cases to the things to drag."""
    page.tab.get_by_role("button", name="Tour", exact=True).click()
    seen = []
    for number in range(1, 11):
        card = page.tab.get_by_role("dialog", name=f"Tour, {number} of 10")
        card.wait_for()
        seen.append(card.get_by_role("heading").inner_text())
        page.tab.locator(".tour-card .main:focus").wait_for()
        page.tab.keyboard.press("Enter")
    assert seen[0] == "Cases"
    assert page.route() == "drag/train"
    assert page.tab.locator(".tour-card").count() == 0
