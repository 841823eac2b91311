"""Judged runs: grades by system, topic and rank, and the door that leads to them."""
