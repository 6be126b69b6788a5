import hashlib
import os
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tools")]

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
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]
#: folders of examples/ whose scripts are executed when they change, and become pages
EXECUTED = ("tutorial", "howto", "gallery")
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = [
    "_build",
    *(f"{folder}/**/*.{ending}" for folder in EXECUTED for ending in ("ipynb", "py", "zip", "md5", "json")),
]
templates_path: list[str] = []
default_role = "code"

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_google_docstring = False
napoleon_use_ivar = True
autodoc_typehints_format = "short"
autodoc_type_aliases = {"ArrayLike": "ArrayLike", "npt.ArrayLike": "ArrayLike"}
autodoc_default_options = {"members": True}
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

sphinx_gallery_conf = {
    "examples_dirs": [f"../examples/{folder}" for folder in EXECUTED],
    "gallery_dirs": list(EXECUTED),
    "filename_pattern": r"[\\/](plot_|step_)",
    "subsection_order": [
        f"../examples/gallery/{section}"
        for section in ("contact", "friction", "wheels", "time", "beams", "impact", "bridges", "runs")
    ],
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": ("gallery_figures.save_full_figures",),
    "reset_modules": ("matplotlib",),
    "remove_config_comments": True,
    "show_memory": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
    "download_all_examples": False,
    "image_srcset": ["2x"],
    "abort_on_example_error": True,
    "parallel": min(4, os.cpu_count() or 1),
}

html_math_renderer = "mathtext"
html_theme = "furo"
html_title = f"Traction {release}"
html_static_path = ["_static"]
html_css_files = ["traction.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#00598c", "color-brand-content": "#00659e"},
    "dark_css_variables": {"color-brand-primary": "#6cb8ea", "color-brand-content": "#7cc2f0"},
}
pygments_style = "friendly"
pygments_dark_style = "github-dark"
maximum_signature_line_length = 88
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def keep_bars(app, what, name, obj, options, lines):
    """Formulas in docstrings are plain text: |x| is a magnitude, not a substitution of reStructuredText."""
    code = False
    for number, line in enumerate(lines):
        code = line.lstrip().startswith((">>> ", "... ")) or (code and bool(line.strip()))
        if not code:
            lines[number] = line.replace("|", r"\|")


def setup(app):
    """Keep remarks on attributes and properties whole: napoleon takes the words before a colon for a type."""
    remarks = {}

    def keep(app, what, name, obj, options, lines):
        if what in ("attribute", "data", "property") and not any(line.startswith("---") for line in lines):
            remarks[name] = list(lines)

    def restore(app, what, name, obj, options, lines):
        if name in remarks:
            lines[:] = remarks.pop(name)

    app.connect("autodoc-process-docstring", keep, priority=400)
    app.connect("autodoc-process-docstring", restore, priority=600)
    app.connect("autodoc-process-docstring", keep_bars, priority=700)


def _write_verification() -> None:
    """Compute the table of the verification page, again whenever the package changes."""
    digest = hashlib.sha256()
    for path in sorted((HERE.parent / "src" / "traction").rglob("*.py")):
        digest.update(path.read_bytes())
    stamp = f"% package {digest.hexdigest()}"
    target = HERE / "_build" / "verification.md"
    if target.exists() and target.read_text(encoding="utf-8").startswith(stamp):
        return
    from traction.app.verification import left_out, verify

    rows = [
        stamp,
        "",
        "| case | quantity | source | expected | computed | error | tolerance |",
        "|---|---|---|---|---|---|---|",
    ]
    for verdict in verify():
        check = verdict.check
        numbers = f"{check.expected:.6g} | {verdict.computed:.6g} | {verdict.error:.1e} | {check.tolerance:g}"
        missed = "" if verdict.passed else " **missed**"
        rows.append(f"| {check.name} | {check.quantity} | {check.source} | {numbers}{missed} |")
    rows += [f"\nLeft out here: {reason}." for reason in left_out()]
    target.parent.mkdir(exist_ok=True)
    target.write_text("\n".join(rows) + "\n", encoding="utf-8")


_write_verification()
