from mensura.study.campaigns import Campaign as Campaign
from mensura.study.campaigns import Design as Design
from mensura.study.campaigns import simulate as simulate
from mensura.study.cell import Cell as Cell
from mensura.study.cell import Decisions as Decisions
from mensura.study.changes import Changes as Changes
from mensura.study.changes import DecisionCell as DecisionCell
from mensura.study.changes import MeanChange as MeanChange
from mensura.study.changes import decision_cells as decision_cells
from mensura.study.changes import summarise_changes as summarise_changes
from mensura.study.example import demo as demo
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
    "Changes",
    "DecisionCell",
    "Decisions",
    "Design",
    "Errors",
    "MeanChange",
    "Move",
    "Rate",
    "Study",
    "Truth",
    "decision_cells",
    "demo",
    "design_like",
    "find_truth",
    "simulate",
    "study",
    "summarise_changes",
    "tables",
    "write_campaign",
]
