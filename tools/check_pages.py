"""Built pages fit the screen and load nothing from other hosts: `tools/check_pages.py docs/_build/html`.

Every page is loaded at the width of a desk and of a phone by headless Chromium; without one, that part is
left out with a message. Loads from other hosts are looked for in the text of pages and style sheets.
"""

import argparse
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WIDTHS = (1280, 400)  #: px
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
TOGETHER = 24  #: pages that one browser loads at once
PATIENCE = 240  #: seconds for them
LOADS = re.compile(
    r"<(?:script|link|img|iframe|source|video)\b[^>]*?\b(?:src|srcset|href)=[\"'](?:https?:)?//[^\"']+", re.I
)
NAVIGATES = re.compile(r"<link\b[^>]*\brel=[\"'](?:canonical|author|license|search|next|prev|index)", re.I)
STYLES = re.compile(r"(?:@import\s+|url\(\s*)[\"']?(?:https?:)?//[^\"')\s]+", re.I)
MEASURE = """
addEventListener("load", () => {
  const found = [];
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, width = frame.clientWidth, need = page.documentElement.scrollWidth;
    let widest = "";
    if (need > width) {
      const beyond = one => one.getBoundingClientRect().right > width + 1;
      const one = [...page.body.querySelectorAll("*")].filter(beyond).pop();
      if (one) widest = one.tagName.toLowerCase() + (one.className ? "." + one.className : "");
    }
    found.push([frame.dataset.page, width, need, widest]);
  }
  document.body.innerHTML = "";
  const answer = document.createElement("pre");
  answer.id = "answer";
  answer.textContent = JSON.stringify(found);
  document.body.append(answer);
});
"""


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
        found += [f"{path.relative_to(folder)}: {one}" for one in loads]
    return found


def overflowing(pages, browser, widths=WIDTHS):
    """Return (page, width, width needed, element) for every page wider than its window."""
    found = []
    for first in range(0, len(pages), TOGETHER):
        for width in widths:
            rows = _measure(pages[first : first + TOGETHER], width, browser)
            found += [tuple(row) for row in rows if row[2] > row[1]]
    return found


def _measure(pages, width, browser):
    """Load pages in frames of one width; [page, width, width needed, element] for each."""
    frames = "".join(
        f'<iframe src="{html.escape(page.resolve().as_uri())}" data-page="{html.escape(str(page))}" '
        f'style="width:{width}px;height:900px;border:0"></iframe>'
        for page in pages
    )
    with tempfile.TemporaryDirectory() as folder:
        harness = Path(folder) / "frames.html"
        harness.write_text(
            f"<!doctype html><meta charset=utf-8><body>{frames}<script>{MEASURE}</script>", encoding="utf-8"
        )
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
            "--no-first-run", "--allow-file-access-from-files", "--host-resolver-rules=MAP * ~NOTFOUND",
            "--hide-scrollbars",
            f"--user-data-dir={folder}/profile", "--window-size=1400,1000", "--dump-dom", harness.as_uri(),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    answer = re.search(r'<pre id="answer">(.*?)</pre>', done.stdout, re.DOTALL)
    if answer is None:
        raise RuntimeError(f"{browser} did not load the pages:\n{done.stderr[-2000:]}")
    rows = json.loads(html.unescape(answer.group(1)))
    if len(rows) != len(pages):
        raise RuntimeError(f"{browser} measured {len(rows)} of {len(pages)} pages")
    return rows


def find_browser():
    """Path of a Chromium, or None."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def main(arguments=None):
    """Check a folder of pages; exit code 1 if one loads from elsewhere or does not fit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of built HTML pages")
    folder = parser.parse_args(arguments).folder
    faults = [f"loads from another host: {one}" for one in foreign_loads(folder)]
    pages = [path for path in sorted(folder.rglob("*.html")) if "_modules" not in path.parts]
    if not pages:
        sys.exit(f"no pages in {folder}; build them first: make docs")
    browser = find_browser()
    if browser is None:
        print(f"pages: width not checked, none of {', '.join(BROWSERS)} is installed")
    else:
        faults += [
            f"{Path(page).relative_to(folder)} needs {need} px of {width} px: {element}"
            for page, width, need, element in overflowing(pages, browser)
        ]
    print(
        "\n".join(faults) or f"pages: {len(pages)} checked" + ("" if browser is None else f" at {WIDTHS} px")
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
