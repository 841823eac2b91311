"""Measures of effectiveness, one file per family."""

from mensura.measures.average_precision import AP, InfAP
from mensura.measures.base import Measure
from mensura.measures.cascade import EFR, ERR
from mensura.measures.counts import NumRel, NumRelRet, NumRet
from mensura.measures.distance import ADM
from mensura.measures.first import MFR, RR
from mensura.measures.gain import DCG, NDCG
from mensura.measures.geometric import GM
from mensura.measures.ideal import ACorr
from mensura.measures.interpolated import IPrec, IPrec11
from mensura.measures.judgments import Bpref, Judged
from mensura.measures.names import parse_measure, parse_measures
from mensura.measures.precision import F, P, R, Rprec, Success
from mensura.measures.rbp import RBP, RBPResidual
from mensura.measures.registry import REGISTRY, register
from mensura.measures.trec_eval import trec_eval_name

__all__ = [
    "ADM",
    "AP",
    "DCG",
    "EFR",
    "ERR",
    "GM",
    "MFR",
    "NDCG",
    "RBP",
    "REGISTRY",
    "RR",
    "ACorr",
    "Bpref",
    "F",
    "IPrec",
    "IPrec11",
    "InfAP",
    "Judged",
    "Measure",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "R",
    "RBPResidual",
    "Rprec",
    "Success",
    "parse_measure",
    "parse_measures",
    "register",
    "trec_eval_name",
]
