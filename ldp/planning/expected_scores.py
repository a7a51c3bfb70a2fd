"""The scores in a question's reports, and their variances if all answers are equally common (M12, M34f)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ldp import numeric
from ldp.arrays import Values
from ldp.inference import estimates
from ldp.kinds import KINDS
from ldp.kinds.protocol import Size
from ldp.scores import ChannelMoments, PairMoments, PooledPairs, ScoreMoments, Target

# The filler's place, for results about one share or a mean.
_FILLER = {"multiple_choice": 0.0, "mean": 0.0, "ranking": 1.0}


class Scores(NamedTuple):
    """The scores in a question's reports. `together` of their intervals hold at once. `reports` is the fraction of the
    survey's reports that ask it, `in_forms` whether only some forms do. A draw of product subsets (M44) has `draw`, the
    keys of its questions, `keep`, the chance to keep answers, and `listed`, how many options a report lists."""

    kind: str
    size: Size
    moments: ScoreMoments
    pair: PairMoments | PooledPairs | None
    together: int
    reports: float = 1.0
    in_forms: bool = False
    draw: tuple[str, ...] = ()
    keep: float = 1.0
    listed: int = 1

    @property
    def rarity(self) -> float:
        return KINDS[self.kind].rarity(self.size)

    @property
    def several(self) -> bool:
        """Return whether several options can apply."""
        return KINDS[self.kind].several

    @property
    def options(self) -> int:
        """The number of options of a deciding question; 2, whether it applies, for each option if several can apply."""
        return 2 if self.several else self.size.d

    @property
    def is_mean(self) -> bool:
        """Return whether no share is estimated."""
        return KINDS[self.kind].answers(self.size) == 1

    @property
    def fillers(self) -> Values:
        """The filler's share in each of the question's results; one number if all results are alike."""
        last = [0.0] * (self.size.d - 1) + [1.0]
        return np.array([_FILLER[self.kind]] if self.kind in _FILLER else last)

    @property
    def share_of_reached(self) -> float:
        """Each share, or the mean, of the people asked."""
        return 1 / len(self.fillers) if len(self.fillers) > 1 else 1 / 2

    def shares(self, part: float) -> Values:
        """Return the shares of the randomized answers, fillers included, if this fraction of people is asked."""
        return part * self.share_of_reached + (1 - part) * self.fillers

    def target(self, target: Target) -> Target:
        return target if self.rarity == 1 else "population"

    def variances(self, part: float, target: Target) -> Values:
        """Return n times the variance of each share, or of the mean, from n reports."""
        shares = self.shares(part)
        if self.is_mean:
            return np.array([self._of_mean(part, float(shares[0]), target)])
        if isinstance(self.moments, ChannelMoments):
            return np.asarray(np.diag(_channel_covariance(self.moments, shares)))
        return self.rarity * estimates.unit_variances(shares, self.moments, self.target(target))

    def _of_mean(self, part: float, mean: float, target: Target) -> float:
        """Return n times the variance of a mean. The people asked have evenly spread numbers, all others the lowest."""
        moments = self.moments
        if not isinstance(moments, ChannelMoments):
            return float(estimates.unit_variances(np.array(mean), moments, "population"))
        if target == "respondents":
            return KINDS[self.kind].noise(moments, 1)
        variances = np.array(numeric.noise(moments), dtype=float)
        if len(variances) <= numeric.COARSE + 1:
            return float(max(variances[0], variances[-1])) + mean * (1 - mean)
        weights = np.ones(len(variances))
        weights[[0, -1]] = 0.5
        law = part * weights / weights.sum()
        law[0] += 1 - part
        return float(law @ (variances + np.linspace(0, 1, len(variances)) ** 2)) - mean**2

    def set_variance(self, part: float, places: Sequence[int], target: Target) -> tuple[float, float]:
        """Return n times the variance of these options' joint share, and the addition of its interval (M32)."""
        others = [j for j in range(self.size.d) if j not in places]
        own, shares = min((list(places), others), key=len), self.shares(part)
        if isinstance(self.moments, ChannelMoments):
            spans = np.array(self.moments.phi())[:, own].sum(axis=1)
            cov, added = _channel_covariance(self.moments, shares), float(np.ptp(spans)) / 2
        else:
            assert self.pair is not None
            cov = estimates.covariance(shares, 1, self.moments, self.pair, target)
            added = numeric.addition(self.moments)
        return float(cov[np.ix_(own, own)].sum()), added


def _channel_covariance(moments: ChannelMoments, shares: Values) -> Values:
    return estimates.channel_covariance(
        shares, 1, estimates.channel_rows(moments), np.array(moments.phi()), "population"
    )
