"""Readers: files as the rules of lint see them."""
