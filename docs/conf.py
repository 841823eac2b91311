"""Settings of Sphinx."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

import mensura

project = "Mensura"
author = "the Mensura developers"
copyright = "the Mensura developers"  # noqa: A001 - Sphinx's name for it
release = version = mensura.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "facts", "mathml", "pictures"]
exclude_patterns = ["_build"]
suppress_warnings = ["config.cache", "mystnb.unknown_mime_type"]  # charts are shown as SVG

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # tools/notebook.py has run it, and a test runs it again

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_class_signature = "mixed"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = True
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_attr_annotations = False
napoleon_use_rtype = False
python_display_short_literal_types = True
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"Mensura {release}"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["mensura.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b6e69", "color-brand-content": "#0b6e69", "picture-warm": "#b4540a"},
    "dark_css_variables": {"color-brand-primary": "#5cc8c0", "color-brand-content": "#5cc8c0", "picture-warm": "#f0a35e"},
}
