"""Images of figures as small pictures inside a page."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.image import AxesImage

STOPS = 9  #: colours of a colour bar
FEW_COLOURS = 64  #: of a picture that is to be small


def picture_of(image: Any) -> str:
    """The cells of an image of matplotlib, top row first, as the address of a PNG picture."""
    from PIL import Image

    cells = image.to_rgba(image.get_array(), bytes=True)
    if image.origin == "lower":
        cells = cells[::-1]
    store = io.BytesIO()
    # the octree keeps what is transparent, the median cut has finer shades
    clear = bool((cells[..., 3] < 255).any())
    kept, method = (cells, Image.Quantize.FASTOCTREE) if clear else (cells[..., :3], Image.Quantize.MEDIANCUT)
    few = Image.fromarray(np.ascontiguousarray(kept)).quantize(255, method=method)
    few.save(store, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(store.getvalue()).decode("ascii")


def shrink_png(picture: bytes) -> bytes:
    """A PNG picture of half the size and few colours."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as whole:
        half = whole.convert("RGB").resize((max(whole.width // 2, 1), max(whole.height // 2, 1)))
    store = io.BytesIO()
    half.quantize(FEW_COLOURS).save(store, "PNG", optimize=True)
    return store.getvalue()


def colour_stops(image: AxesImage) -> list[str]:
    """Colours of its scale, from the least to the largest value."""
    from matplotlib.colors import to_hex

    return [to_hex(image.cmap(share)) for share in np.linspace(0.0, 1.0, STOPS)]


def scale_ends(image: AxesImage) -> tuple[float, float]:
    """Least and largest value of its scale."""
    low, high = image.get_clim()
    return float(low), float(high)
