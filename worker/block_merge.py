"""Small blocks are joined into large ones and shuffled anew: they take less room, and tell less of when reports came.

Only blocks of the released are joined, so that those of a release stay the blocks of a release; never a block that a
recount still needs. Of blocks of about one size FEW are kept, so every report is rewritten a handful of times at most.
"""

import math
from itertools import groupby

import numpy as np
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from surveys.models import Block, Survey, Tally
from worker import batches, blocks

FEW = 15


def join(survey: Survey) -> int:
    """Join the first blocks of which there are too many, or, once the survey has ended, any; how many were joined."""
    with transaction.atomic():
        if batches.lock(survey.pk) is None:
            return 0
        small = list(free(survey).filter(n__lt=settings.BLOCK_SIZE).values_list("pk", "n"))
        few = FEW if survey.state == Survey.State.OPEN else 1
        chosen = _too_many(small, survey.batch_size, few)
        if chosen:
            _replace(survey, chosen)
        if chosen and survey.state == Survey.State.CLOSED:  # the last reports, perhaps a few, had a block of their own
            Tally.objects.filter(survey=survey).update(traces=True)
    return len(chosen)


def free(survey: Survey) -> QuerySet[Block]:
    """The released blocks that no recount needs."""
    return Block.objects.filter(survey=survey, stage=Block.Stage.RELEASED, recountpart=None)


def _too_many(small: list[tuple[int, int]], batch: int, few: int) -> list[int]:
    """The keys of blocks to join. Sizes are of one class where they differ by less than a factor of FEW + 1."""

    def size_class(block: tuple[int, int]) -> int:
        return int(math.log(max(block[1] / batch, 1), FEW + 1)) if few > 1 else 0

    for _, alike in groupby(sorted(small, key=lambda block: block[1]), size_class):
        members = list(alike)
        sums = np.cumsum([n for _, n in members])
        fitting = max(int(np.searchsorted(sums, settings.BLOCK_SIZE)) + 1, 2)  # the first so many reach a full block
        if len(members) > few or sums[-1] >= settings.BLOCK_SIZE:
            return [pk for pk, _ in members[:fitting]] if len(members) > 1 else []
    return []


def _replace(survey: Survey, keys: list[int]) -> None:
    old = Block.objects.filter(pk__in=keys)
    rows = np.concatenate([blocks.decode(bytes(columns)) for columns in old.values_list("columns", flat=True)])
    columns = blocks.encode(blocks.shuffled(rows))
    old.delete()
    Block.objects.create(survey=survey, stage=Block.Stage.RELEASED, n=len(rows), columns=columns)
