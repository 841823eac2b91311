"""The web page: a server for one person's machine or a lab's, and the JSON API that its pages use."""
