"""A person at the page of the studio: opens, types, drags and looks, in a real Chromium."""

import contextlib
import os
import re
import shutil

from studio_process import PATIENCE

NAMES = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
SHOWN = "#content:not([aria-busy]) h1"  #: a page that is complete
DRAWN = """host => [...host.querySelectorAll('canvas')].filter(c => c.width && c.height).map(c => {
    const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
    return new Set(new Uint32Array(data.buffer)).size;
})"""


def find_chromium():
    """The browser to test with, None where there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


class StudioPage:
    """One tab. Requests that are not to the loopback address are refused and counted; errors are kept."""

    def __init__(self, browser, studio, **settings):
        settings = {"viewport": {"width": 1280, "height": 800}, **settings}
        self.studio, self.context = studio, browser.new_context(**settings)
        self.tab = self.context.new_page()
        self.tab.set_default_timeout(1000 * PATIENCE)
        self.foreign, self.wrong = [], []
        self.context.route(re.compile(f"^(?!{re.escape(studio.url)}/|blob:|data:)"), self._refuse)
        self.tab.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.tab.on("console", self._hear)
        self.tab.on(
            "dialog", lambda dialog: (self.wrong.append(f"dialog {dialog.message}"), dialog.dismiss())
        )
        self.tab.goto(f"{studio.url}/?token={studio.token}")
        self.tab.wait_for_selector(SHOWN)

    def _refuse(self, route):
        self.foreign.append(route.request.url)
        route.abort()

    def _dismiss(self, dialog):
        self.wrong.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def _hear(self, message):
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.wrong.append(message.text)

    def open(self, route):
        """Go to an address of the page and wait until it is shown."""
        self.tab.evaluate("where => { location.hash = where; }", f"#/{route}")
        self.shown()

    def shown(self):
        self.tab.wait_for_timeout(30)
        self.tab.wait_for_selector(SHOWN)

    def route(self):
        return self.tab.evaluate("location.hash").removeprefix("#/")

    def field(self, path):
        """The control of a field of the form."""
        return self.tab.locator(f'[data-path="{path}"] > .control > :is(input, select, textarea)').first

    def valid(self):
        """Wait until the case is checked and may be run."""
        self.tab.locator(".go .good-words").wait_for()

    def run(self):
        """Press Run and wait for the end of the run; its id."""
        self.tab.get_by_role("button", name="Run", exact=True).click()
        self.tab.wait_for_selector(".run-head .state")
        return self.route().partition("/")[2].partition("?")[0]

    def done(self):
        """Wait until the run is done and its final views are shown."""
        self.tab.locator('[data-state="done"] .panel').first.wait_for()

    def colours(self, selector="#content"):
        """How many colours each drawing shows."""
        return self.tab.locator(selector).first.evaluate(DRAWN)

    def wide(self):
        """By how many pixels the page is wider than the window."""
        return self.tab.evaluate("document.documentElement.scrollWidth - innerWidth")

    def end(self):
        self.context.close()


@contextlib.contextmanager
def studio_page(browser, studio, **settings):
    """A tab that is closed afterwards; nothing may have gone wrong on it, nothing outside been asked for."""
    page = StudioPage(browser, studio, **settings)
    try:
        yield page
    finally:
        page.end()
    assert page.foreign == []
    assert page.wrong == []
