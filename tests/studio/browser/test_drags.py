"""What is dragged answers: numbers and pictures follow the pointer and the keys."""

import pytest


def _wait(page, selector, before):
    for _ in range(2400):
        if page.tab.locator(selector).first.inner_text() != before:
            return page.tab.locator(selector).first.inner_text()
        page.tab.wait_for_timeout(50)
    raise AssertionError(f"{selector} stays {before}")


def test_dragging_the_creepages_moves_forces_and_stick(page):
    page.open("drag/rolling")
    figures = page.tab.locator(".figures dd")
    figures.first.wait_for()
    force = figures.first.inner_text()
    pad = page.tab.locator("canvas.pad").bounding_box()
    page.tab.mouse.move(pad["x"] + 170, pad["y"] + 90)
    page.tab.mouse.down()
    page.tab.mouse.move(pad["x"] + 230, pad["y"] + 60, steps=4)
    page.tab.mouse.up()
    force = _wait(page, ".figures dd", force)
    page.tab.locator("canvas.pad").focus()
    page.tab.keyboard.press("Home")
    _wait(page, ".figures dd", force)
    assert page.tab.evaluate("performance.getEntriesByName('drag').length") > 0


@pytest.mark.slow
def test_dragging_the_speed_moves_along_the_resonance_curve(page):
    page.open("drag/train")
    speed = page.tab.locator(".figures dd")
    speed.first.wait_for()
    before = speed.first.inner_text()
    page.tab.locator('input[data-name="speed"]').focus()
    page.tab.keyboard.press("ArrowRight")
    before = _wait(page, ".figures dd", before)
    plot = page.tab.locator(".drag-board canvas").first.bounding_box()
    page.tab.mouse.move(plot["x"] + 200, plot["y"] + 80)
    page.tab.mouse.down()
    page.tab.mouse.move(plot["x"] + 260, plot["y"] + 80, steps=3)
    page.tab.mouse.up()
    _wait(page, ".figures dd", before)


@pytest.mark.slow
def test_dragging_a_handle_changes_the_friction_law(page, studio):
    if "friction" not in studio.get("/api/info")["live"]:
        pytest.skip("this installation has no friction laws to drag")
    page.open("drag/friction")
    code = page.tab.locator("pre")
    code.filter(has_text="tr.").wait_for()
    before = code.inner_text()
    page.tab.locator(".slider-row input[type=range]").first.focus()
    page.tab.keyboard.press("ArrowRight")
    _wait(page, "pre", before)


@pytest.mark.slow
def test_dragging_the_wheelset_moves_both_patches(page, studio):
    if "wheelset" not in studio.get("/api/info")["live"]:
        pytest.skip("this installation has no wheelset to drag")
    page.open("drag/wheelset")
    sides = page.tab.locator(".pairs")
    sides.nth(1).locator("dd").first.wait_for()
    before = [sides.nth(n).inner_text() for n in (0, 1)]
    page.tab.locator('input[data-name="y"]').focus()
    page.tab.keyboard.press("ArrowRight")
    _wait(page, ".pairs", before[0])
    assert sides.nth(1).inner_text() != before[1]
