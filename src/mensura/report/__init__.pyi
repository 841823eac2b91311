from mensura.report.build import InputFile as InputFile
from mensura.report.build import Report as Report
from mensura.report.build import report as report

__all__ = [
    "InputFile",
    "Report",
    "report",
]
