from mensura.study.campaigns import Campaign as Campaign
from mensura.study.campaigns import Design as Design
from mensura.study.campaigns import simulate as simulate
from mensura.study.cell import Cell as Cell
from mensura.study.cell import Decisions as Decisions
from mensura.study.experiment import Move as Move
from mensura.study.experiment import Study as Study
from mensura.study.experiment import study as study
from mensura.study.files import write_campaign as write_campaign
from mensura.study.likeness import design_like as design_like
from mensura.study.paper_tables import tables as tables
from mensura.study.truth import Errors as Errors
from mensura.study.truth import Rate as Rate
from mensura.study.truth import Truth as Truth
from mensura.study.truth import find_truth as find_truth

__all__ = [
    "Campaign",
    "Cell",
    "Decisions",
    "Design",
    "Errors",
    "Move",
    "Rate",
    "Study",
    "Truth",
    "design_like",
    "find_truth",
    "simulate",
    "study",
    "tables",
    "write_campaign",
]
