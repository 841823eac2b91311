from mensura.measures.average_precision import AP as AP
from mensura.measures.average_precision import InfAP as InfAP
from mensura.measures.base import Measure as Measure
from mensura.measures.cascade import EFR as EFR
from mensura.measures.cascade import ERR as ERR
from mensura.measures.counts import NumRel as NumRel
from mensura.measures.counts import NumRelRet as NumRelRet
from mensura.measures.counts import NumRet as NumRet
from mensura.measures.distance import ADM as ADM
from mensura.measures.first import MFR as MFR
from mensura.measures.first import RR as RR
from mensura.measures.gain import DCG as DCG
from mensura.measures.gain import NDCG as NDCG
from mensura.measures.geometric import GM as GM
from mensura.measures.geometric import TopicMedian as TopicMedian
from mensura.measures.ideal import ACorr as ACorr
from mensura.measures.interpolated import IPrec as IPrec
from mensura.measures.interpolated import IPrec11 as IPrec11
from mensura.measures.judgments import Bpref as Bpref
from mensura.measures.judgments import Judged as Judged
from mensura.measures.names import REGISTRY as REGISTRY
from mensura.measures.names import parse_measure as parse_measure
from mensura.measures.names import parse_measures as parse_measures
from mensura.measures.precision import F as F
from mensura.measures.precision import P as P
from mensura.measures.precision import R as R
from mensura.measures.precision import Rprec as Rprec
from mensura.measures.precision import Success as Success
from mensura.measures.rbp import RBP as RBP
from mensura.measures.rbp import RBPResidual as RBPResidual
from mensura.measures.registry import register as register
from mensura.measures.trec_eval import trec_eval_name as trec_eval_name

__all__ = [
    "ACorr",
    "ADM",
    "AP",
    "Bpref",
    "DCG",
    "EFR",
    "ERR",
    "F",
    "GM",
    "IPrec",
    "IPrec11",
    "InfAP",
    "Judged",
    "MFR",
    "Measure",
    "NDCG",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "R",
    "RBP",
    "RBPResidual",
    "REGISTRY",
    "RR",
    "Rprec",
    "Success",
    "TopicMedian",
    "parse_measure",
    "parse_measures",
    "register",
    "trec_eval_name",
]
