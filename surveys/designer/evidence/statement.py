"""The privacy statement for respondents, on one page."""

from django.utils.translation import gettext as _

from ldp.strength import STEPS
from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.paper import Paper, PaperSection, joined, missing
from surveys.designer.studio.meaning import TYPICAL_PRIOR
from surveys.figures import numerals, strengths
from surveys.models.report import KEEP_IDS
from surveys.researcher.results.facts import apart_from
from surveys.rules.texts import decimal


def of_facts(facts: Facts) -> Paper:
    return Paper(
        _("What happens to your answers"),
        _(
            "Your answers are randomized in your browser before anything is sent. The survey receives and stores only "
            "the randomized report, not your answers."
        ),
        [_protection(facts), _learners(facts), _storage(facts), _limits(facts), _choice(), _responsible(facts)],
    )


def _protection(facts: Facts) -> PaperSection:
    step, largest = strengths.STEPS[facts.strength], facts.largest
    named = {"strength": step.word, "meaning": step.meaning, "alpha": largest.alpha, "prior": TYPICAL_PRIOR}
    low, high = largest.belief(TYPICAL_PRIOR)
    named |= {"low": low, "high": high, "apart": apart_from(facts.delta)}
    paragraphs = [
        _("The protection is %(strength)s (α = %(alpha)s for a whole report). %(meaning)s") % named,
        _(
            "If someone guessed one of your answers, or all of them, with %(prior)s%% certainty, your whole report "
            "could move that to at most %(high)s%% and to no less than %(low)s%%%(apart)s."
        )
        % named,
    ]
    return PaperSection(_("How strongly they are protected"), [*paragraphs, *_more(facts)])


def _more(facts: Facts) -> list[str]:
    texts = []
    if facts.has_forms:
        texts.append(
            _("Your browser draws by lot which part of the questions you get. The report says which part that is.")
        )
    if any(each.drawn_items for each in facts.questions):
        texts.append(
            _(
                "For some questions your browser draws some of the items at random, whatever you answer, and reports "
                "on those alone. The report names them."
            )
        )
    if any(each.together for each in facts.reports):
        texts.append(_("Some answers are randomized together: what is sent contains them all, or all of it is random."))
    if facts.strength not in STEPS[:2]:
        texts.append(_("This protection is weak. Take part only if you accept that someone may learn an answer."))
    if facts.is_wave:
        text = _("If you took part in the earlier waves too, all your reports together have α = %(alpha)s%(apart)s.")
        apart = apart_from(facts.delta_of_waves)
        texts.append(text % {"alpha": decimal(facts.alpha_of_waves), "apart": apart})
    return texts


def _learners(facts: Facts) -> PaperSection:
    items = [
        _("The page in your browser knows your answers until you send or leave it. Then it forgets them."),
        _("Someone who watches the network can see that you took part, and when. The content is encrypted."),
        _(
            "Staff, a thief or a court that has the database finds randomized reports: no answers, names or IP "
            "addresses."
        ),
        _("Readers of the results see totals of many reports, which usually reveal less than one report."),
    ]
    if facts.groups:
        text = _(
            "Your report names the group in which you were invited, and each group has published results: %(names)s."
        )
        items.append(text % {"names": joined(facts.groups)})
    if facts.relay:
        items.append(
            _(
                "Your report goes through %(relay)s, which sees your IP address and cannot read the report. This site "
                "can read it and does not see your IP address, unless both work together."
            )
            % {"relay": facts.relay}
        )
    return PaperSection(_("Who learns what"), items=items)


def _storage(facts: Facts) -> PaperSection:
    numbers = {"batch": numerals.integer(facts.batch), "days": KEEP_IDS.days, "least": facts.least}
    texts = [
        _(
            "A report waits with a random number until %(batch)s reports are there or the survey ends. Then they are "
            "added up and shuffled. The random numbers are deleted %(days)s days after the survey has ended."
        )
        % numbers,
        _("If there are fewer than %(least)s reports at the end, nothing is published and they are erased.") % numbers,
        _("The shuffled reports and the totals stay until the survey’s owner deletes the survey."),
    ]
    if facts.survey.microdata_public:
        texts.append(_("The randomized reports are published, one row each, in random order."))
    return PaperSection(_("What is stored, and for how long"), texts)


def _limits(facts: Facts) -> PaperSection:
    items = [
        _("Someone who watches your device or its network can see that you took part, and when."),
        _("Nothing protects your answers on a device that someone else controls."),
        _("If you answer the same questions in another survey, both reports together reveal more."),
    ]
    if not facts.by_invitation:
        items.append(_("The link can be used more than once. Each report that you send reveals more about you."))
    return PaperSection(_("What is not promised"), items=items)


def _choice() -> PaperSection:
    return PaperSection(
        _("Your choice"),
        [
            _(
                "Until you press “send”, nothing leaves your browser, and you can stop. A sent report cannot be taken "
                "back: nothing shows which report is yours."
            )
        ],
    )


def _responsible(facts: Facts) -> PaperSection:
    given = facts.disclosure
    return PaperSection(
        _("Who is responsible"),
        [
            _("Carried out by: %(who)s") % {"who": missing(given.conductor)},
            _("Paid by: %(who)s") % {"who": missing(given.sponsor)},
            _("Questions to: %(who)s") % {"who": missing(given.contact)},
        ],
    )
