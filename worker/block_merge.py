"""Joining small blocks into large ones, shuffled anew: large blocks take less room, and reveal less of when reports
came.

Only released blocks of one form are joined, so released blocks remain those of the newest release. Blocks that a
recount needs are never joined. FEW blocks of about one size stay apart, so each report is rewritten only a few times.
"""

import math
from itertools import groupby
from operator import itemgetter

import numpy as np
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from surveys.models import Block, Survey, Tally
from worker import batches, blocks

FEW = 15


def join(survey: Survey) -> int:
    """Join the first small blocks if there are too many; all small ones after the survey's end. Return how many were
    joined."""
    with transaction.atomic():
        if batches.lock(survey.pk) is None:
            return 0
        chosen = next(filter(None, (_too_many(each, survey) for each in _small(survey))), [])
        if chosen:
            _replace(survey, chosen)
        if chosen and survey.state == Survey.State.CLOSED:  # the last reports, perhaps few, had a separate block
            Tally.objects.filter(survey=survey).update(traces=True)
    return len(chosen)


def free(survey: Survey) -> QuerySet[Block]:
    """Return the released blocks that no recount needs."""
    return Block.objects.filter(survey=survey, stage=Block.Stage.RELEASED, recountpart=None)


def _small(survey: Survey) -> list[list[tuple[int, int]]]:
    """Return key and size of the blocks that are not full, a list for each form."""
    rows = free(survey).filter(n__lt=settings.BLOCK_SIZE).order_by("form", "pk").values_list("form", "pk", "n")
    return [[(pk, n) for _, pk, n in group] for _, group in groupby(rows, itemgetter(0))]


def _too_many(small: list[tuple[int, int]], survey: Survey) -> list[int]:
    """Return the keys of a form's blocks to join, possibly none. Blocks of one size class differ in size by less than a
    factor of FEW + 1. They are joined once there are more than FEW or they fill a block."""
    few, batch = FEW if survey.state == Survey.State.OPEN else 1, survey.batch_size

    def size_class(block: tuple[int, int]) -> int:
        return int(math.log(max(block[1] / batch, 1), FEW + 1)) if few > 1 else 0

    for _, alike in groupby(sorted(small, key=lambda block: block[1]), size_class):
        members = list(alike)
        sums = np.cumsum([n for _, n in members])
        fitting = max(int(np.searchsorted(sums, settings.BLOCK_SIZE)) + 1, 2)  # the first blocks that make a full one
        if len(members) > few or sums[-1] >= settings.BLOCK_SIZE:
            return [pk for pk, _ in members[:fitting]] if len(members) > 1 else []
    return []


def _replace(survey: Survey, keys: list[int]) -> None:
    old = Block.objects.filter(pk__in=keys)
    form = old.values_list("form", flat=True).distinct().get()
    rows = np.concatenate([blocks.decode(bytes(columns)) for columns in old.values_list("columns", flat=True)])
    columns = blocks.encode(blocks.shuffled(rows))
    old.delete()
    Block.objects.create(survey=survey, form=form, stage=Block.Stage.RELEASED, n=len(rows), columns=columns)
