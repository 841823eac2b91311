from mensura.measures.average_precision import AP as AP
from mensura.measures.average_precision import InfAP as InfAP
from mensura.measures.base import Measure as Measure
from mensura.measures.buckley import BinG as BinG
from mensura.measures.buckley import G as G
from mensura.measures.buckley import NDCGRel as NDCGRel
from mensura.measures.buckley import RNDCG as RNDCG
from mensura.measures.cascade import EFR as EFR
from mensura.measures.cascade import ERR as ERR
from mensura.measures.counts import NumNonRelRet as NumNonRelRet
from mensura.measures.counts import NumQ as NumQ
from mensura.measures.counts import NumRel as NumRel
from mensura.measures.counts import NumRelRet as NumRelRet
from mensura.measures.counts import NumRet as NumRet
from mensura.measures.cwl import BPM as BPM
from mensura.measures.cwl import INSQ as INSQ
from mensura.measures.cwl import INST as INST
from mensura.measures.cwl import NERR10 as NERR10
from mensura.measures.cwl import NERR11 as NERR11
from mensura.measures.cwl import NERR8 as NERR8
from mensura.measures.cwl import NERR9 as NERR9
from mensura.measures.cwl import SDCG as SDCG
from mensura.measures.distance import ADM as ADM
from mensura.measures.first import MFR as MFR
from mensura.measures.first import RR as RR
from mensura.measures.gain import DCG as DCG
from mensura.measures.gain import NDCG as NDCG
from mensura.measures.geometric import GM as GM
from mensura.measures.geometric import TopicMedian as TopicMedian
from mensura.measures.graded import GAP as GAP
from mensura.measures.graded import NCG as NCG
from mensura.measures.graded import Q as Q
from mensura.measures.ideal import ACorr as ACorr
from mensura.measures.interpolated import IPrec as IPrec
from mensura.measures.interpolated import IPrec11 as IPrec11
from mensura.measures.judgments import Bpref as Bpref
from mensura.measures.judgments import Hole as Hole
from mensura.measures.judgments import Judged as Judged
from mensura.measures.judgments import Unjudged as Unjudged
from mensura.measures.names import REGISTRY as REGISTRY
from mensura.measures.names import parse_measure as parse_measure
from mensura.measures.names import parse_measures as parse_measures
from mensura.measures.pairs import Accuracy as Accuracy
from mensura.measures.pairs import Compatibility as Compatibility
from mensura.measures.precision import F as F
from mensura.measures.precision import P as P
from mensura.measures.precision import R as R
from mensura.measures.precision import Rprec as Rprec
from mensura.measures.precision import SetAP as SetAP
from mensura.measures.precision import Success as Success
from mensura.measures.precision import Utility as Utility
from mensura.measures.rbp import RBP as RBP
from mensura.measures.rbp import RBPResidual as RBPResidual
from mensura.measures.registry import register as register
from mensura.measures.trec_eval import trec_eval_name as trec_eval_name

__all__ = [
    "ACorr",
    "ADM",
    "AP",
    "Accuracy",
    "BPM",
    "BinG",
    "Bpref",
    "Compatibility",
    "DCG",
    "EFR",
    "ERR",
    "F",
    "G",
    "GAP",
    "GM",
    "Hole",
    "INSQ",
    "INST",
    "IPrec",
    "IPrec11",
    "InfAP",
    "Judged",
    "MFR",
    "Measure",
    "NCG",
    "NDCG",
    "NDCGRel",
    "NERR10",
    "NERR11",
    "NERR8",
    "NERR9",
    "NumNonRelRet",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "Q",
    "R",
    "RBP",
    "RBPResidual",
    "REGISTRY",
    "RNDCG",
    "RR",
    "Rprec",
    "SDCG",
    "SetAP",
    "Success",
    "TopicMedian",
    "Unjudged",
    "Utility",
    "parse_measure",
    "parse_measures",
    "register",
    "trec_eval_name",
]
