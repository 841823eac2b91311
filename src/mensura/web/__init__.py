"""The web page: a server for one machine or a lab, and the JSON API that its pages use."""
