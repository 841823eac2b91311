"""Charts as Vega-Lite descriptions: one description gives SVG, PNG, PDF and a self-contained interactive page."""
