"""The parts that all mechanisms with noise per bin share (M6)."""

from typing import Any

from ldp.tables import noise
from tests.support.draws import NOISES_MAX, Draw, cell, reaching, some
from tests.support.mutation import AT_MOST, LOW_BYTES, Start, draw, fault, signed
from tests.support.stated_channels import Small, noise_channel

SMALL_NOISE = Small(2, {"noise": [3, 13]}, 16, 2, noise_channel(2, {"noise": [3, 13]}, 16), None)


def noise_draws(d: int, table: Any) -> list[Draw]:
    return [Draw(some(table["noise"], NOISES_MAX))] * d


def stated_noise(table: Any, answer: Any, u: list[int]) -> list[int]:
    reach = len(table["noise"]) // 2
    return [cell(table["noise"], one) - reach + (1 if j == answer else 0) for j, one in enumerate(u)]


def forced_noise(table: Any, answer: Any, reported: Any) -> list[int]:
    reach = len(table["noise"]) // 2
    return [reaching(table["noise"], reach + value - (j == answer)) for j, value in enumerate(reported)]


NOISE_FAULTS = {
    wrong: fault(edit, module=noise)
    for wrong, edit in {
        "one word for all bins": draw("[uniform() for _ in range(d)]", "[uniform()] * d"),
        "noise reused": draw("enumerate(noise)", "enumerate(noise[:1] * d)"),
        "last bin without noise": draw("enumerate(noise)", "enumerate([*noise[:-1], 0])"),
        "noise only where the answer is": draw("value + (j == answer)", "(value + 1) * (j == answer)"),
        "at most instead of less": AT_MOST,
        "signed compare": signed(),
        "low byte compared": LOW_BYTES,
        "positive noise only": draw('len(table["noise"]) // 2', "0"),
        "twice the alpha": Start("_thresholds", "alpha *= 2"),
    }.items()
}
