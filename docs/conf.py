import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "Traction"
author = "The Traction developers"
project_copyright = "The Traction developers"
release = version = installed_version("traction")

extensions = [
    "mathtext_renderer",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "gallery/**/*.ipynb", "gallery/**/*.py", "gallery/**/*.zip", "gallery/**/*.md5"]
templates_path: list[str] = []
default_role = "code"

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True}
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"[\\/]plot_",
    "within_subsection_order": "FileNameSortKey",
    "remove_config_comments": True,
    "show_memory": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "download_all_examples": False,
    "image_srcset": ["2x"],
    "abort_on_example_error": True,
}

html_math_renderer = "mathtext"
html_theme = "alabaster"
html_title = "Traction"
html_static_path = ["_static"]
html_css_files = ["traction.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "description": "Contact mechanics: pressure, stress and stiffness where elastic bodies touch",
    "fixed_sidebar": True,
    "page_width": "1100px",
    "sidebar_width": "230px",
    "show_powered_by": False,
    "font_family": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
    "head_font_family": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
    "font_size": "16px",
    "body_text": "#23272e",
    "link": "#0072b2",
    "link_hover": "#d55e00",
}
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}


def keep_bars(app, what, name, obj, options, lines):
    """Formulas in docstrings are plain text: |x| is a magnitude, not a substitution of reStructuredText."""
    lines[:] = [line.replace("|", r"\|") for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", keep_bars)


def _write_verification() -> None:
    """Build the table of the verification page: it is computed, not typed."""
    from traction.app.verification import left_out, verify

    rows = [
        "| case | quantity | source | expected | computed | error | tolerance | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for verdict in verify():
        check = verdict.check
        numbers = f"{check.expected:.9g} | {verdict.computed:.9g} | {verdict.error:.1e} | {check.tolerance:g}"
        passed = "passed" if verdict.passed else "**missed**"
        rows.append(f"| {check.name} | {check.quantity} | {check.source} | {numbers} | {passed} |")
    rows += [f"\nLeft out here: {reason}." for reason in left_out()]
    target = Path(__file__).parent / "_build" / "verification.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text("\n".join(rows) + "\n", encoding="utf-8")


_write_verification()
