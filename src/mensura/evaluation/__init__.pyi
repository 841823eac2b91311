from mensura.evaluation.evaluation import Evaluation as Evaluation
from mensura.evaluation.evaluation import evaluate as evaluate
from mensura.evaluation.evaluation import score as score
from mensura.evaluation.evaluator import Evaluator as Evaluator
from mensura.evaluation.remarks import Remark as Remark
from mensura.evaluation.score_tables import ScoredTable as ScoredTable
from mensura.evaluation.score_tables import read_scores as read_scores
from mensura.evaluation.scores import Scores as Scores

__all__ = [
    "Evaluation",
    "Evaluator",
    "Remark",
    "ScoredTable",
    "Scores",
    "evaluate",
    "read_scores",
    "score",
]
