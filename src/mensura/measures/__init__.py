"""Measures of effectiveness, one file per family."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        # measures, written by tools/stubs.py
        "average_precision": ("AP", "InfAP"),
        "buckley": ("BinG", "G", "NDCGRel", "RNDCG"),
        "cascade": ("EFR", "ERR"),
        "counts": ("NumNonRelRet", "NumQ", "NumRel", "NumRelRet", "NumRet"),
        "cwl": ("BPM", "INSQ", "INST", "NERR10", "NERR11", "NERR8", "NERR9", "SDCG"),
        "distance": ("ADM",),
        "first": ("MFR", "RR"),
        "gain": ("DCG", "NDCG"),
        "geometric": ("GM", "TopicMedian"),
        "graded": ("GAP", "NCG", "Q"),
        "ideal": ("ACorr",),
        "interpolated": ("IPrec", "IPrec11"),
        "judgments": ("Bpref", "Hole", "Judged", "Unjudged"),
        "pairs": ("Accuracy", "Compatibility"),
        "precision": ("F", "P", "R", "Rprec", "SetAP", "Success", "Utility"),
        "rbp": ("RBP", "RBPResidual"),
        # end of measures
        "base": ("Measure",),
        "names": ("REGISTRY", "parse_measure", "parse_measures"),
        "registry": ("register",),
        "trec_eval": ("trec_eval_name",),
    },
)
