"""Formulas as SVG inside the page, drawn by matplotlib, so that the pages need no network."""

import html
import io

from docutils.nodes import SkipNode
from matplotlib import rc_context
from matplotlib.mathtext import math_to_image

POINTS = 10.0  #: the size at which a formula is drawn; the page scales it with its text
STYLE = {
    "mathtext.fontset": "stix",
    "font.size": POINTS,
    "svg.hashsalt": "traction",
    "savefig.facecolor": "none",
}
INK = "#23272e"  #: the colour that matplotlib draws with; on the page a formula has the colour of the text
ENLARGED = 1.22  #: letters of a formula are smaller than those of the page at the same size


def formula(latex):
    """One line of LaTeX as SVG whose baseline is that of the text around it."""
    buffer = io.BytesIO()
    with rc_context(STYLE):
        depth = math_to_image(f"${' '.join(latex.split())}$", buffer, dpi=72, format="svg", color=INK)
    svg = buffer.getvalue().decode("utf-8")
    svg = svg[svg.index("<svg") :].strip().replace(INK, "currentColor")
    width, height = (float(svg.split(f'{name}="')[1].split("pt")[0]) for name in ("width", "height"))
    scale = POINTS / ENLARGED
    style = f"width:{width / scale:.3f}em;height:{height / scale:.3f}em;vertical-align:{-depth / scale:.3f}em"
    label = html.escape(latex, quote=True)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{label}" style="{style}" ', 1)


def visit_inline(translator, node):
    """A formula within a sentence."""
    translator.body.append(formula(node.astext()))
    raise SkipNode


def visit_display(translator, node):
    """A formula on a line of its own."""
    latex = node.astext().replace(r"\frac", r"\dfrac")
    translator.body.append(f'<div class="math">{formula(latex)}</div>')
    raise SkipNode


def setup(app):
    """Register the renderer under the name that conf.py chooses."""
    app.add_html_math_renderer("mathtext", (visit_inline, None), (visit_display, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
