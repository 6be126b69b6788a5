"""Built pages fit the screen and load nothing from other hosts: `tools/check_pages.py docs/_build/html`.

Every page is opened by a headless Chromium at the width of a desk and of a phone; without one, that part is
left out with a message. Loads from other hosts are looked for in the text of pages and style sheets as well.
"""

import argparse
import re
import shutil
import sys
from contextlib import closing
from pathlib import Path

WIDTHS = (1280, 400)  #: px
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
LOADS = re.compile(
    r"<(?:script|link|img|iframe|source|video)\b[^>]*?\b(?:src|srcset|href)=[\"'](?:https?:)?//[^\"']+", re.I
)
NAVIGATES = re.compile(r"<link\b[^>]*\brel=[\"'](?:canonical|author|license|search|next|prev|index)", re.I)
STYLES = re.compile(r"(?:@import\s+|url\(\s*)[\"']?(?:https?:)?//[^\"')\s]+", re.I)
NEEDED = """(() => {
  const width = document.documentElement.clientWidth, need = document.documentElement.scrollWidth;
  const beyond = one => one.getBoundingClientRect().right > width + 1;
  const last = need > width ? [...document.body.querySelectorAll("*")].filter(beyond).pop() : null;
  return [need, last ? last.tagName.toLowerCase() + (last.className ? "." + last.className : "") : ""];
})()"""


def foreign_loads(folder):
    """Return 'file: what' for everything that a page or style sheet would load from another host."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".html":
            text = path.read_text(encoding="utf-8", errors="replace")
            loads = [one for one in LOADS.findall(text) if not NAVIGATES.match(one)] + STYLES.findall(text)
        elif path.suffix == ".css":
            loads = STYLES.findall(path.read_text(encoding="utf-8", errors="replace"))
        else:
            continue
        found += [f"{path.relative_to(folder)} loads from another host: {one}" for one in loads]
    return found


def faults_on_screen(folder, pages, browser, widths=WIDTHS):
    """Return what a browser finds: pages wider than the window, errors of scripts, requests to hosts."""
    found = []
    for page in pages:
        name = page.relative_to(folder)
        for width in widths:
            browser.open(page, width)
            need, element = browser.evaluate(NEEDED)
            if need > width:
                found.append(f"{name} needs {need} px of {width} px: {element}")
            found += [f"{name}: {one}" for one in browser.errors]
            asked = [one for one in browser.requests if not one.startswith(("file:", "data:", "blob:"))]
            found += [f"{name} asks for {one}" for one in asked]
    return found


def find_browser():
    """Path of a Chromium, or None."""
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


def main(arguments=None):
    """Check a folder of pages; exit code 1 if one loads from elsewhere or does not fit."""
    from browser import Browser

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of built HTML pages")
    folder = parser.parse_args(arguments).folder
    pages = [path for path in sorted(folder.rglob("*.html")) if "_modules" not in path.parts]
    if not pages:
        sys.exit(f"no pages in {folder}; build them first: make docs")
    faults = foreign_loads(folder)
    program = find_browser()
    if program is None:
        print(f"pages: width not checked, none of {', '.join(PROGRAMS)} is installed")
    else:
        with closing(Browser(program)) as browser:
            faults += faults_on_screen(folder, pages, browser)
    print("\n".join(faults) or f"pages: {len(pages)} checked" + (f" at {WIDTHS} px" if program else ""))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
