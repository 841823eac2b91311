from mensura.judged.entrance import judge as judge
from mensura.judged.runs import JudgedRuns as JudgedRuns

__all__ = [
    "JudgedRuns",
    "judge",
]
