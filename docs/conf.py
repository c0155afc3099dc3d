"""Sphinx: the pages that `docs/builder` has written, and the reference from docstrings."""

from __future__ import annotations

import spbfs

project = "spbfs"
author = "The spbfs authors"
version = release = spbfs.__version__
project_copyright = author

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
# Of Markdown: anchors of headings, as other pages link them.
myst_heading_anchors = 4
# Lists of parameters, as numpydoc has them, with types as they are written.
napoleon_google_docstring = False
napoleon_use_rtype = False
# Attributes are lists: members that are listed below have a place of their own.
napoleon_use_ivar = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
# What stands between single backticks is a name: a link where there is one of that name.
default_role = "py:obj"
# A name that several classes have is the nearest one's.
suppress_warnings = ["ref.python"]

html_theme = "furo"
html_title = "spbfs"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
copybutton_selector = "div:not(.output) > div.highlight > pre"
