"""Mensura: information retrieval evaluation that knows what its numbers mean."""

from __future__ import annotations

from mensura._lazy import attach

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "errors": (
            "DepthError",
            "InputError",
            "LedgerError",
            "MeasureError",
            "MensuraError",
            "MensuraWarning",
            "PlanError",
            "RankingError",
            "RecordError",
            "ScaleError",
            "StatisticsError",
        ),
        "evaluation.evaluation": ("Evaluation", "evaluate", "score"),
        "evaluation.evaluator": ("Evaluator",),
        "evaluation.remarks": ("Remark",),
        "evaluation.score_tables": ("read_scores",),
        "evaluation.scores": ("Scores",),
        "io.columns": ("Qrels", "Run"),
        "io.read": ("read_qrels", "read_run"),
        "judged.entrance": ("judge",),
        "judged.runs": ("JudgedRuns",),
        # measures, written by tools/stubs.py
        "measures.average_precision": ("AP", "InfAP"),
        "measures.buckley": ("BinG", "G", "NDCGRel", "RNDCG"),
        "measures.cascade": ("EFR", "ERR"),
        "measures.counts": ("NumNonRelRet", "NumQ", "NumRel", "NumRelRet", "NumRet"),
        "measures.cwl": ("BPM", "INSQ", "INST", "NERR10", "NERR11", "NERR8", "NERR9", "SDCG"),
        "measures.distance": ("ADM",),
        "measures.first": ("MFR", "RR"),
        "measures.gain": ("DCG", "NDCG"),
        "measures.geometric": ("GM", "TopicMedian"),
        "measures.graded": ("GAP", "NCG", "Q"),
        "measures.ideal": ("ACorr",),
        "measures.interpolated": ("IPrec", "IPrec11"),
        "measures.judgments": ("Bpref", "Hole", "Judged", "Unjudged"),
        "measures.pairs": ("Accuracy", "Compatibility"),
        "measures.precision": ("F", "P", "R", "Rprec", "SetAP", "Success", "Utility"),
        "measures.rbp": ("RBP", "RBPResidual"),
        # end of measures
        "measures.base": ("Measure",),
        "measures.names": ("parse_measure", "parse_measures"),
        "measures.registry": ("register",),
        "scales.interval": ("IntervalScale", "interval_scale"),
        "scales.ranks": ("Ranks",),
        "stats.compared": ("Comparison", "Comparisons"),
        "stats.comparison": ("compare",),
    },
    (
        "adm",
        "evaluation",
        "io",
        "judged",
        "ledger",
        "lint",
        "measures",
        "pieces",
        "plans",
        "pyterrier",
        "rankings",
        "record",
        "report",
        "scales",
        "stats",
        "study",
    ),
)
