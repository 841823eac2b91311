"""A report: one self-contained page with what judged runs and measures say, and text to paste into a paper."""

from mensura.report.build import Report, Source, report

__all__ = ["Report", "Source", "report"]
