"""Draws images/studio_views/*.webp: every page of Traction Studio at both sizes, light and dark.

The pictures are made by the tests, which look at them too:

    STUDIO_SCREENSHOTS=shots pytest -m slow tests/studio/browser/test_looks.py -k every_page
    python docs/draw_studio_views.py shots
"""

import sys
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).parent / "images" / "studio_views"
LOOKS = ("desk_light", "desk_dark", "phone_light", "phone_dark")
HIGH = 1500  #: pixels of a page that are shown
SCALE, GAP, QUALITY = 0.45, 10, 62


def join(shots, name):
    """All looks of a page in one picture."""
    parts = []
    for look in LOOKS:
        one = Image.open(shots / f"{name}_{look}.png").convert("RGB")
        one = one.crop((0, 0, one.width, min(one.height, HIGH)))
        parts.append(
            one.resize((round(SCALE * one.width), round(SCALE * one.height)), Image.Resampling.LANCZOS)
        )
    wide = sum(one.width for one in parts) + GAP * (len(parts) - 1)
    whole = Image.new("RGB", (wide, max(one.height for one in parts)), "#8a9099")
    left = 0
    for one in parts:
        whole.paste(one, (left, 0))
        left += one.width + GAP
    whole.save(FOLDER / f"{name}.webp", quality=QUALITY, method=6)


def main():
    """The pictures of all pages of which there are screenshots."""
    shots = Path(sys.argv[1])
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in sorted(shots.glob(f"*_{LOOKS[0]}.png")):
        join(shots, path.name.removesuffix(f"_{LOOKS[0]}.png"))


if __name__ == "__main__":
    main()
