"""One Chromium for the tests of a module; they are skipped where there is none."""

import pytest

playwright = pytest.importorskip(
    "playwright.sync_api", reason="the studio is looked at by Playwright: pip install -e '.[dev]'"
)

from studio_browser import SWITCHES, find_chromium, studio_page  # noqa: E402


@pytest.fixture(scope="module")
def chromium():
    """A browser. Its driver keeps an event loop in this thread, so it ends with the module."""
    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium: install it, or name one in CHROMIUM")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(SWITCHES))
        yield browser
        browser.close()


@pytest.fixture
def page(chromium, studio):
    """A tab of the studio at 1280 x 800."""
    with studio_page(chromium, studio) as found:
        yield found
