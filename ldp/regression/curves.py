"""Numbers that change with normal errors in a curve, and their intervals (M40).

The interval is of all values over the errors that are no further away than a normal one would be. Errors across the
steepest way bend the number to one side on average; ends that are moved by as much count too, whichever is further out.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from ldp.arrays import Values

_NEAR = 1e-12


@dataclass(frozen=True)
class Curve:
    """What independent standard normals z add to a number: slope @ z + bend @ z**2 / 2."""

    slope: Values
    bend: Values

    @property
    def standard_error(self) -> float:
        """The root of the mean square: variance and square of the bias."""
        first, second, bias = self.slope @ self.slope, self.bend @ self.bend / 2, self.bend.sum() / 2
        return float(np.sqrt(first + second + bias**2))

    def ends(self, reach: float) -> tuple[float, float]:
        """The lower and the upper end of what is added by errors up to `reach` standard errors away."""
        low, high = -_most(-self.slope, -self.bend, reach), _most(self.slope, self.bend, reach)
        across = self._across / 2
        return low - max(across, 0.0), high - min(across, 0.0)

    @property
    def _across(self) -> float:
        """The bend of all ways but the steepest."""
        square = float(self.slope @ self.slope)
        steepest = self.slope**2 @ self.bend / square if square else 0.0
        return float(self.bend.sum() - steepest)


def _most(slope: Values, bend: Values, reach: float) -> float:
    """The greatest slope @ z + bend @ z**2 / 2 where |z| is at most `reach`: that of its dual in one variable, which is
    convex (Conn, Gould and Toint 2000)."""
    least, size = max(float(bend.max()), 0.0), float(np.linalg.norm(slope))
    start = least + _NEAR * (size + least)
    end = start + size / reach

    def too_far(force: float) -> float:
        return float(((slope / (force - bend)) ** 2).sum()) - reach**2

    if size == 0:
        return least * reach**2 / 2
    force = scipy.optimize.brentq(too_far, start, end, xtol=_NEAR * (size + least)) if too_far(start) > 0 else start
    return float(force * reach**2 + (slope**2 / (force - bend)).sum()) / 2


def curves(slopes: Values, rests: Values, bends: Values) -> list[Curve]:
    """One for each of slopes (J, m) and second derivatives (J, m, m), with an error of its own whose size is its rest,
    (J,)."""
    made = []
    for slope, rest, bend in zip(slopes, rests, bends, strict=True):
        values, ways = np.linalg.eigh((bend + bend.T) / 2)
        made.append(Curve(np.append(ways.T @ slope, rest), np.append(values, 0.0)))
    return made
