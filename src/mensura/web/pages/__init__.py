"""The pages: templates, scripts and styles, and the routes that send them."""
