from mensura import adm as adm
from mensura import errors as errors
from mensura import evaluation as evaluation
from mensura import io as io
from mensura import ir_measures as ir_measures
from mensura import judged as judged
from mensura import ledger as ledger
from mensura import lint as lint
from mensura import measures as measures
from mensura import pieces as pieces
from mensura import plans as plans
from mensura import pyterrier as pyterrier
from mensura import pytrec_eval as pytrec_eval
from mensura import rankings as rankings
from mensura import record as record
from mensura import report as report
from mensura import scales as scales
from mensura import stats as stats
from mensura import study as study
from mensura.errors import DepthError as DepthError
from mensura.errors import InputError as InputError
from mensura.errors import LedgerError as LedgerError
from mensura.errors import MeasureError as MeasureError
from mensura.errors import MensuraError as MensuraError
from mensura.errors import MensuraWarning as MensuraWarning
from mensura.errors import PlanError as PlanError
from mensura.errors import RankingError as RankingError
from mensura.errors import RecordError as RecordError
from mensura.errors import ScaleError as ScaleError
from mensura.errors import StatisticsError as StatisticsError
from mensura.evaluation.evaluation import Evaluation as Evaluation
from mensura.evaluation.evaluation import evaluate as evaluate
from mensura.evaluation.evaluation import score as score
from mensura.evaluation.evaluator import Evaluator as Evaluator
from mensura.evaluation.remarks import Remark as Remark
from mensura.evaluation.score_tables import read_scores as read_scores
from mensura.evaluation.scores import Scores as Scores
from mensura.io.columns import Qrels as Qrels
from mensura.io.columns import Run as Run
from mensura.io.read import read_qrels as read_qrels
from mensura.io.read import read_run as read_run
from mensura.judged.entrance import judge as judge
from mensura.judged.runs import JudgedRuns as JudgedRuns
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
from mensura.scales.interval import IntervalScale as IntervalScale
from mensura.scales.interval import interval_scale as interval_scale
from mensura.scales.ranks import Ranks as Ranks
from mensura.stats.compared import Comparison as Comparison
from mensura.stats.compared import Comparisons as Comparisons
from mensura.stats.comparison import compare as compare

__all__ = [
    "ACorr",
    "ADM",
    "AP",
    "Accuracy",
    "BPM",
    "BinG",
    "Bpref",
    "Comparison",
    "Comparisons",
    "Compatibility",
    "DCG",
    "DepthError",
    "EFR",
    "ERR",
    "Evaluation",
    "Evaluator",
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
    "InputError",
    "IntervalScale",
    "Judged",
    "JudgedRuns",
    "LedgerError",
    "MFR",
    "Measure",
    "MeasureError",
    "MensuraError",
    "MensuraWarning",
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
    "PlanError",
    "Q",
    "Qrels",
    "R",
    "RBP",
    "RBPResidual",
    "RNDCG",
    "RR",
    "RankingError",
    "Ranks",
    "RecordError",
    "Remark",
    "Rprec",
    "Run",
    "SDCG",
    "ScaleError",
    "Scores",
    "SetAP",
    "StatisticsError",
    "Success",
    "TopicMedian",
    "Unjudged",
    "Utility",
    "compare",
    "evaluate",
    "interval_scale",
    "judge",
    "parse_measure",
    "parse_measures",
    "read_qrels",
    "read_run",
    "read_scores",
    "register",
    "score",
]

__version__: str
