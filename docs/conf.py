"""The site, by Sphinx: `make docs`. What has to be drawn or listed first is made by `docs/_make`."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]  # for _make, and for the studies

from _make import algorithm_pages, api, docstrings, mathjax, report, start  # noqa: E402

from frankboost import __version__  # noqa: E402

project = "frankboost"
author = "The frankboost developers"
version = release = __version__
copyright = f"2026, the frankboost developers. This is version {version}"  # noqa: A001  (Sphinx's name)

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_make", "_templates"]
templates_path = ["_templates"]
highlight_language = "none"  # indented blocks are commands and formulas as often as Python
default_role = "code"

myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_dmath_double_inline = True  # formulas within quoted lemmas
myst_heading_anchors = 4

numpydoc_show_class_members = False
autodoc_typehints = "none"  # the docstrings say it in words
toc_object_entries_show_parents = "hide"

copybutton_prompt_text = r">>> |\.\.\. ?|\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": str(HERE.parent / "examples"),
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "within_subsection_order": "_make.gallery.in_order",
    "min_reported_time": 1_000_000,
    "show_memory": False,
    "write_computation_times": False,
    "download_all_examples": False,
    "remove_config_comments": True,
    "abort_on_example_error": True,
}

html_title = f"frankboost {version}"
html_theme = "pydata_sphinx_theme"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_context = {"default_mode": "auto"}  # as the system has it
html_favicon = "_static/logo.svg"
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"index": [], "changelog": []}
html_theme_options = {
    "logo": {"image_light": "_static/logo.svg", "image_dark": "_static/logo.svg", "text": "frankboost"},
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "show_prev_next": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
# Links to the classes of other libraries need their inventories from the network: FRANKBOOST_INTERSPHINX=1.
if os.environ.get("FRANKBOOST_INTERSPHINX"):
    extensions.append("sphinx.ext.intersphinx")
intersphinx_mapping = {
    "dask": ("https://docs.dask.org/en/stable/", None),
    "numpy": ("https://numpy.org/doc/stable/", None),
    "pandas": ("https://pandas.pydata.org/docs/", None),
    "python": ("https://docs.python.org/3/", None),
    "sklearn": ("https://scikit-learn.org/stable/", None),
}
mathjax_path = mathjax.PATH
mathjax3_config = {"svg": {"scale": 0.92}}


def setup(app):
    """Pages are made before Sphinx looks which there are; what is no page, when the others are written."""
    app.connect(
        "config-inited", lambda app, config: (algorithm_pages.write(HERE), api.write(HERE), start.draw(HERE))
    )
    app.connect("autodoc-skip-member", api.skip)
    app.connect("autodoc-process-docstring", docstrings.link_theory, priority=100)
    app.connect("source-read", api.link_examples)
    app.connect("build-finished", lambda app, error: error or (report.write(app), mathjax.copy(app)))
