"""A measure whose distinct values are beyond counting; brackets among runs remain."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from mensura.errors import ScaleError
from mensura.scales.counting.machines import CascadeMachine, PrecisionMachine, SumMachine
from mensura.scales.counting.protocol import Runs
from mensura.scales.counting.topical import AreaMachine


@dataclass(frozen=True)
class Uncounted:
    """Refuses everything that is exact, at once, and says why."""

    machine: PrecisionMachine | CascadeMachine | SumMachine | AreaMachine
    why: str
    method: str = "bracket among runs"
    exact: bool = False

    def _refuse(self) -> NoReturn:
        raise ScaleError(self.why)

    @property
    def steps(self) -> int:
        self._refuse()

    @property
    def is_equispaced(self) -> bool:
        self._refuse()

    def rank(self, runs: Runs) -> list[int]:  # noqa: ARG002 - the protocol of counting
        self._refuse()

    def runs_up_to(self, runs: Runs) -> list[tuple[int, int]]:  # noqa: ARG002 - the protocol of counting
        self._refuse()

    def count(self, bounds: Sequence[Fraction]) -> list[int]:  # noqa: ARG002 - the protocol of counting
        self._refuse()

    def value(self, rank: int) -> Fraction:  # noqa: ARG002 - the protocol of counting
        self._refuse()

    def values(self) -> NDArray[np.float64]:
        self._refuse()
