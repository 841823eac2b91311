"""Measures of effectiveness, one file per family."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        # measures, written by tools/stubs.py
        "average_precision": ("AP", "InfAP"),
        "cascade": ("EFR", "ERR"),
        "counts": ("NumRel", "NumRelRet", "NumRet"),
        "distance": ("ADM",),
        "first": ("MFR", "RR"),
        "gain": ("DCG", "NDCG"),
        "geometric": ("GM", "TopicMedian"),
        "ideal": ("ACorr",),
        "interpolated": ("IPrec", "IPrec11"),
        "judgments": ("Bpref", "Judged"),
        "precision": ("F", "P", "R", "Rprec", "Success"),
        "rbp": ("RBP", "RBPResidual"),
        # end of measures
        "base": ("Measure",),
        "names": ("REGISTRY", "parse_measure", "parse_measures"),
        "registry": ("register",),
        "trec_eval": ("trec_eval_name",),
    },
)
