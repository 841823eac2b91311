"""Results as text, tables, LaTeX, HTML and charts, for the command line, reports, the web pages and notebooks."""
