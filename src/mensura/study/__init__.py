"""Whole experiments: the study of P4 on any collection, simulated campaigns, and what tests do where the truth is known."""

from mensura.study.campaigns import Campaign, Design, simulate
from mensura.study.cell import Cell, Decisions
from mensura.study.experiment import Study, study
from mensura.study.files import write_campaign
from mensura.study.folder import write_study
from mensura.study.likeness import design_like
from mensura.study.paper_tables import tables
from mensura.study.truth import Errors, Rate, Truth, find_truth

__all__ = [
    "Campaign",
    "Cell",
    "Decisions",
    "Design",
    "Errors",
    "Rate",
    "Study",
    "Truth",
    "design_like",
    "find_truth",
    "simulate",
    "study",
    "tables",
    "write_campaign",
    "write_study",
]
