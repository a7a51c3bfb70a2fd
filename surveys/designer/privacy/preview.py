"""What a survey would protect once a proposal is taken: the forms put into a copy of the draft, and read like any."""

import copy
from collections.abc import Sequence

from ldp.planning.proposals import Proposal
from surveys.designer.privacy import proposal
from surveys.designer.privacy.questions import Question, in_forms, with_places, within_budget
from surveys.designer.privacy.wish import Wish
from surveys.drafts import assignment, proposals
from surveys.drafts.normalize import normalized
from surveys.models import Survey


def preview(survey: Survey, planned: Sequence[Question], chosen: Proposal, wish: Wish) -> list[Question]:
    """The survey's questions then, of which nothing is stored."""
    draft = copy.deepcopy(normalized(survey.draft))
    designs = proposals.designs([each.key for each in planned], chosen)
    assignment.assign(draft, designs, proposal.own_alphas(planned, wish))
    return within_budget(in_forms(with_places(draft["questions"], target=wish.target), draft.get("forms", [])))
