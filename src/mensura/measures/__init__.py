"""Measures of effectiveness, one file per family."""

from __future__ import annotations

from mensura._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "average_precision": ("AP", "InfAP"),
        "base": ("Measure",),
        "cascade": ("EFR", "ERR"),
        "catalogue": ("REGISTRY",),
        "counts": ("NumRel", "NumRelRet", "NumRet"),
        "distance": ("ADM",),
        "first": ("MFR", "RR"),
        "gain": ("DCG", "NDCG"),
        "geometric": ("GM",),
        "ideal": ("ACorr",),
        "interpolated": ("IPrec", "IPrec11"),
        "judgments": ("Bpref", "Judged"),
        "names": ("parse_measure", "parse_measures"),
        "precision": ("F", "P", "R", "Rprec", "Success"),
        "rbp": ("RBP", "RBPResidual"),
        "registry": ("register",),
        "trec_eval": ("trec_eval_name",),
    },
)
