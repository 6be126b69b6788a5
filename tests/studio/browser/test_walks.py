"""What people do with the page: change, run, look, compare, take away; with a mouse and without."""

import pytest

from studio_browser import studio_page
from studio_process import LONG, MODES, running_studio
from traction.kinds.case import loads
from traction.kinds.registry import KINDS
from traction.kinds.simulate import simulate
from traction.kinds.sweep.run_sweep import sweep

TITLE = "<img src=x onerror=alert(1)><b>Ball</b>"
PRESS = f"""kind = "press"
title = "{TITLE}"
[grid]
nx = 24
ny = 24
width_x = "0.5 mm"
width_y = "0.5 mm"
[[surface]]
type = "sphere"
radius = "10 mm"
[load]
force = ["20 N", "50 N", "100 N"]
"""
#: for each kind what is changed in the case that its form begins with; of a new kind it is the title
CHANGES = {
    "press": ("surface[0].radius", "12 mm"),
    "shift": ("friction", "0.32"),
    "steady": ("friction", "0.35"),
    "creep-table": ("friction", "0.35"),
    "creep-law": ("error", "0.03"),
    "roll": ("friction", "0.45"),
    "bounce": ("fall.height", "0.8 m"),
    "impact": ("ball.speed", "2 cm/s"),
    "obstacle": ("obstacle.gap", "3 mm"),
    "modes": ("modes", "8"),
    "moving-load": ("speed", "35 m/s"),
    "resonance": ("beam.damping", "0.02"),
    "rest": ("wheel[0].force", "600 kN"),
    "cross": ("speed", "28 m/s"),
}


@pytest.fixture(scope="module")
def press_run(studio):
    key = studio.start(PRESS)
    studio.wait_for(key, "done")
    return key


def test_a_value_is_changed_run_seen_compared_and_taken_away(page, done_run):
    """The walk of every kind, by the one that takes least."""
    _walk(page, "modes", done_run)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "modes"])
def test_every_kind_can_be_walked_through(page, studio, kind):
    start = next(one["start"] for one in studio.get("/api/kinds")["kinds"] if one["name"] == kind)
    before = studio.start(studio.get(f"/api/cases/{start}")["toml"])
    studio.wait_for(before, "done")
    _walk(page, kind, before)


def _walk(page, kind, before):
    """Change a value, run, look, move the slider, compare with the run `before`, take the numbers away."""
    page.open(f"new/{kind}")
    path, value = CHANGES.get(kind, ("title", "Changed"))
    page.field(path).fill(value)
    key = page.run()
    page.done()
    page.tab.locator(".panel canvas, .panel table").first.wait_for()
    assert all(count > 3 for count in page.colours()), page.colours()
    _move_slider(page)
    page.open(f"compare/{before}/{key}")
    changed = page.tab.locator("section", has_text="Settings that differ").locator("tbody tr td:first-child")
    assert path.replace("[", ".").replace("]", "") in changed.all_inner_texts()
    page.open(f"run/{key}")
    _take_away(page, "CSV", ".csv")


def _take_away(page, name, ending):
    with page.tab.expect_download() as waiting:
        page.tab.get_by_role("button", name=name, exact=True).click()
    assert waiting.value.suggested_filename.endswith(ending)
    assert waiting.value.path().stat().st_size > 100


def _move_slider(page):
    slider = page.tab.locator(".slider-bar input")
    if slider.count() == 0:
        return
    said = page.tab.locator(".slider-bar output")
    slider.focus()
    for key, words in (("Home", "1 of "), ("ArrowRight", "2 of ")):
        page.tab.keyboard.press(key)
        said.filter(has_text=words).wait_for()


def test_a_wrong_value_is_explained_at_its_field(page):
    page.open("case/bouncing-ball")
    height, place = page.field("fall.height"), page.tab.locator('[data-path="fall.height"]')
    height.fill("-1 m")
    place.locator(".error").filter(has_text="negative").wait_for()
    assert height.get_attribute("aria-invalid") == "true"
    assert page.tab.get_by_role("button", name="Run", exact=True).is_disabled()
    height.fill("3 kg")
    place.locator(".error").filter(has_text="length").wait_for()
    height.fill("2 m")
    page.valid()
    assert place.locator(".error").inner_text() == ""
    assert 'height = "2 m"' in page.tab.get_by_label("as TOML").input_value()


@pytest.mark.slow
def test_form_toml_and_python_are_the_same_case(page):
    page.open("case/bouncing-ball")
    page.valid()
    toml, python = page.tab.get_by_label("as TOML"), page.tab.get_by_label("as Python")
    toml.fill(toml.input_value().replace('height = "1 m"', 'height = "1.5 m"'))
    for _ in range(200):
        if page.field("fall.height").input_value() == "1.5 m":
            break
        page.tab.wait_for_timeout(50)
    assert page.field("fall.height").input_value() == "1.5 m"
    page.tab.get_by_role("button", name="Python", exact=True).click()
    assert "import traction as tr" in python.inner_text()


@pytest.mark.slow
def test_a_draft_survives_reload_and_the_way_back(page):
    page.open("case/bouncing-ball")
    page.field("fall.height").fill("3 m")
    page.valid()
    page.tab.wait_for_timeout(400)
    page.tab.reload()
    page.shown()
    assert page.field("fall.height").input_value() == "3 m"
    page.open("runs")
    page.tab.go_back()
    page.shown()
    assert page.field("fall.height").input_value() == "3 m"


@pytest.mark.slow
def test_reload_in_mid_run_finds_the_run_again(page, studio):
    key = studio.start(LONG)
    studio.wait(key, lambda run: run["state"] == "running")
    page.open(f"run/{key}")
    page.tab.locator("progress").wait_for()
    page.tab.reload()
    page.shown()
    assert page.tab.locator("h1").inner_text() == "A long run"
    page.tab.locator(".working").filter(has_text="of 3000 samples").wait_for()
    page.tab.get_by_role("button", name="Stop", exact=True).click()
    page.tab.locator(".run-head .state.stopped").wait_for()
    page.tab.get_by_role("button", name="Resume", exact=True).click()
    page.tab.locator(".run-head .state.running, .run-head .state.queued").wait_for()
    page.tab.get_by_role("button", name="Stop", exact=True).click()
    page.tab.locator(".run-head .state.stopped").wait_for()
    studio.wait_for(key, "stopped")


@pytest.mark.slow
def test_back_and_forward_go_through_the_pages(page, press_run):
    for route in ("runs", f"run/{press_run}", "drag/rolling"):
        page.open(route)
    titles = []
    for way in (page.tab.go_back, page.tab.go_back, page.tab.go_back, page.tab.go_forward):
        way()
        page.shown()
        titles.append(page.tab.locator("h1").inner_text())
    assert titles == [TITLE, "Runs", "What would you like to compute?", "Runs"]


@pytest.mark.slow
def test_the_keyboard_suffices_from_case_to_result(page):
    """Tab, arrows and Enter alone: a case is opened, changed, run and looked at."""
    keys = page.tab.keyboard
    page.tab.get_by_role("link", name="Modes of a continuous bridge").focus()
    keys.press("Enter")
    page.tab.locator(".case-form").wait_for()
    page.shown()
    _tab_to(page, "document.activeElement.closest('[data-path=modes]') !== null")
    keys.press("ArrowDown")
    assert page.field("modes").input_value() == "11"
    page.valid()
    _tab_to(page, "document.activeElement.textContent === 'Run'")
    keys.press("Enter")
    page.done()
    _tab_to(page, "document.activeElement.type === 'range'")
    keys.press("Home")
    page.tab.locator(".slider-bar output").filter(has_text="1 of 11").wait_for()
    _tab_to(page, "document.activeElement.tagName === 'CANVAS' && document.activeElement.tabIndex === 0")
    keys.press("ArrowRight")
    page.tab.locator(".panel .read:not(:empty)").first.wait_for()


def _tab_to(page, condition, most=150):
    for _ in range(most):
        if page.tab.evaluate(condition):
            return
        page.tab.keyboard.press("Tab")
    raise AssertionError(f"no stop of the Tab key has {condition}")


@pytest.mark.slow
def test_a_title_never_becomes_markup(page, press_run):
    for route in ("runs", f"compare/{press_run}/{press_run}", f"edit/{press_run}", "", f"run/{press_run}"):
        page.open(route)
        assert page.tab.locator("#content img, #content b").count() == 0
    assert page.tab.locator("h1").inner_text() == TITLE


@pytest.mark.slow
def test_map_and_sections_follow_the_pointer_and_turn_to_3d(page, press_run):
    page.open(f"run/{press_run}")
    page.done()
    panel = page.tab.locator(".panel.map")
    canvas, said = panel.locator("canvas"), panel.locator(".read")
    box = canvas.bounding_box()
    said.filter(has_text="Pa").wait_for()
    before = said.inner_text()
    page.tab.mouse.move(box["x"] + 120, box["y"] + 60)
    page.tab.wait_for_timeout(60)
    assert said.inner_text() != before
    panel.get_by_role("button", name="3-D").click()
    page.tab.locator(".panel.map canvas.turns").wait_for()
    assert page.colours(".panel.map")[0] > 50


@pytest.mark.slow
def test_two_browsers_follow_the_same_run(chromium, page, studio):
    with studio_page(chromium, studio) as other:
        key = studio.start(LONG)
        for one in (page, other):
            one.open(f"run/{key}")
            one.tab.locator("progress").wait_for()
        page.tab.get_by_role("button", name="Stop", exact=True).click()
        other.tab.locator(".run-head .state.stopped").wait_for()
    studio.wait_for(key, "stopped")


@pytest.mark.slow
def test_values_are_varied_and_the_map_opens_a_run(page):
    """A sweep from its form: a wrong value is explained at its key, the map opens the run behind a cell."""
    page.open("case/equal-axles")
    page.valid()
    page.tab.get_by_role("button", name="Vary values").click()
    page.shown()
    rows = page.tab.locator(".vary-row")
    rows.first.locator("input").fill("20 kg, 30 kg")
    rows.first.locator(".error").filter(has_text="is a mass").wait_for()
    assert page.tab.get_by_role("button", name="Start sweep").is_disabled()
    rows.first.locator("input").fill("20:40:3 m/s")
    page.tab.get_by_role("button", name="Vary another key").click()
    rows.nth(1).locator("select").select_option("beam.length")
    rows.nth(1).locator("input").fill("12, 15 m")
    page.tab.locator(".go .good-words").filter(has_text="6 variants").wait_for()
    page.tab.reload()  # what was typed is still there
    page.shown()
    page.tab.locator(".go .good-words").filter(has_text="6 variants").wait_for()
    page.tab.get_by_role("button", name="Start sweep").click()
    page.tab.get_by_role("button", name="Report", exact=True).wait_for()  # after it nothing is drawn anew
    page.tab.wait_for_timeout(500)
    canvas = page.tab.locator("section canvas").first
    canvas.wait_for()
    box = canvas.bounding_box()
    page.tab.mouse.click(box["x"] + 0.4 * box["width"], box["y"] + 80)
    page.done()
    page.tab.get_by_role("link", name="Its sweep").click()
    page.tab.locator("#rows").wait_for()
    assert page.tab.locator("tbody tr").count() == 6


@pytest.mark.slow
def test_everything_is_taken_away(page, done_run):
    page.open(f"run/{done_run}")
    for name, ending in (("netCDF", ".nc"), ("CSV", ".csv"), ("MATLAB", ".mat"), ("TOML", ".toml")):
        _take_away(page, name, ending)
    page.tab.get_by_text("Individual files").click()
    names = page.tab.locator("#content").inner_text()
    assert "report.html" in names
    assert ".svg" in names
    with page.context.expect_page() as opened:
        page.tab.get_by_role("button", name="Report", exact=True).first.click()
    opened.value.wait_for_url("**/report/**")
    opened.value.get_by_text("Modes of a bridge").first.wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("view", ["Peak deflection", "Amplification"])
def test_a_click_on_a_resonance_opens_that_crossing(page, studio, view):
    """On a curve and on the map; the case that opens is the crossing at that speed, and runs."""
    key = studio.start(studio.get("/api/cases/hslm-resonance")["toml"])
    studio.wait_for(key, "done")
    page.open(f"run/{key}")
    page.done()
    canvas = page.tab.get_by_role("group", name=view).locator("canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.tab.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 60)
    page.tab.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + 60)
    page.tab.locator(".case-form").wait_for()
    page.valid()
    assert 'kind = "moving-load"' in page.tab.get_by_label("as TOML").input_value()
    assert 30.0 < float(page.field("speed").input_value().split()[0]) < 120.0


@pytest.mark.slow
def test_play_moves_the_slider_and_pauses(page, press_run):
    page.open(f"run/{press_run}")
    page.done()
    said = page.tab.locator(".slider-bar output")
    page.tab.locator(".slider-bar input").focus()
    page.tab.keyboard.press("Home")
    said.filter(has_text="1 of 3").wait_for()
    page.tab.get_by_role("button", name="Play", exact=True).click()
    said.filter(has_text="3 of 3").wait_for()
    page.tab.get_by_role("button", name="Play", exact=True).wait_for()  # it ends by itself


@pytest.mark.slow
def test_two_runs_stand_side_by_side_with_their_difference(page, studio):
    keys = [
        studio.start(studio.get("/api/cases/bouncing-ball")["toml"].replace('"1 m"', f'"{high} m"'))
        for high in (1, 2)
    ]
    for key in keys:
        studio.wait_for(key, "done")
    page.open("compare/" + "/".join(keys))
    page.tab.locator(".difference canvas").wait_for()
    assert all(count > 3 for count in page.colours())
    page.tab.get_by_text("All views side by side").click()
    page.tab.locator(".beside .panel canvas").nth(6).wait_for()


@pytest.mark.slow
def test_the_page_opens_the_folder_that_was_named(chromium, tmp_path):
    """`traction studio FOLDER` of a run and of a sweep; who then goes to the cases stays there."""
    case = loads(MODES)
    simulate(case, tmp_path / "run")
    sweep(case, {"beam.length": "10, 20 m"}, tmp_path / "sweep")
    for name in ("run", "sweep"):
        with running_studio(tmp_path / name) as studio, studio_page(chromium, studio) as page:
            assert page.route().startswith(f"{name}/")
            assert "Modes of a bridge" in page.tab.locator("h1").inner_text()
            page.tab.get_by_role("link", name="Cases").click()
            page.tab.get_by_role("heading", name="What would you like to compute?").wait_for()
