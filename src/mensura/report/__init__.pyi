from mensura.report.build import Report as Report
from mensura.report.build import Source as Source
from mensura.report.build import report as report

__all__ = [
    "Report",
    "Source",
    "report",
]
