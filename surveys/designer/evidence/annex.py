"""The technical annex, by the subjects of NIST SP 800-226. Each question has an answer, or a reason against one."""

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from surveys.designer.evidence import tables
from surveys.designer.evidence.facts import Facts
from surveys.designer.evidence.paper import Paper, PaperSection, answered
from surveys.designer.evidence.tables import delta
from surveys.designer.studio.meaning import PRIORS
from surveys.figures import audiences, numerals
from surveys.rules.texts import decimal


def of_facts(facts: Facts) -> Paper:
    return Paper(
        _("Technical annex"),
        _(
            "What this survey guarantees, by what means, and what it does not. The questions follow the subjects of "
            "NIST SP 800-226 (March 2025), in our own words. NIST’s ε is called α here."
        ),
        [
            _guarantee(facts),
            _each_question(facts),
            PaperSection(_("Each report"), tables=[tables.reports(facts)]),
            _mechanisms(facts),
            _use(facts),
            _trust(facts),
            _implementation(facts),
            _operation(facts),
            _not_promised(),
        ],
    )


def not_applicable(because: str) -> str:
    return _("Not applicable, because %(because)s") % {"because": because}


# The guarantee --------------------------------------------------------------------------------------------------------


def _guarantee(facts: Facts) -> PaperSection:
    words = {"alpha": facts.alpha, "odds": numerals.odds_factor(facts.alpha)}
    return answered(
        _("Guarantee"),
        {
            _("Which definition of differential privacy?"): (
                _("Local differential privacy, with δ = %(delta)s for a whole report.") % {"delta": delta(facts.delta)}
                if facts.delta
                else _("Pure local differential privacy: δ = 0, without any exception.")
            ),
            _("What is the unit of privacy?"): _(
                "One person’s whole report: all answers that one browser sends for this survey. Any two people are "
                "neighbors, whatever they answer. Participation itself is not protected."
            ),
            _("What are the privacy parameters?"): _(
                "α = %(alpha)s for a whole report: no report is more than %(odds)s times likelier for some answers "
                "than for others. The tables below list each question and each form’s report."
            )
            % words,
            _("How do parts and repetitions compose?"): _composition(facts),
            _("How strong is that?"): _strength(facts),
        },
    )


def _composition(facts: Facts) -> str:
    text = _(
        "The alphas of a report’s questions add up; the alpha of answers that are randomized together counts once."
    )
    if facts.is_wave:
        words = {"alpha": decimal(facts.alpha_of_waves), "delta": delta(facts.delta_of_waves)}
        more = _("With all earlier waves: α = %(alpha)s, δ = %(delta)s for a person who took part in every wave.")
        return f"{text} {more % words}"
    more = _(
        "If a person answers again, here or in another survey, the alphas of both reports add up. No software limits "
        "that."
    )
    return f"{text} {more}"


def _strength(facts: Facts) -> str:
    rows = [facts.largest.belief(prior) for prior in PRIORS]
    sentence = _("A guess of %(prior)s%% ends between %(low)s%% and %(high)s%%.")
    numbers = zip(PRIORS, rows, strict=True)
    return " ".join(sentence % {"prior": prior, "low": low, "high": high} for prior, (low, high) in numbers)


def _each_question(facts: Facts) -> PaperSection:
    note = _(
        "For answers that are randomized together, α is for all of them, and “realized” is what a report reveals from "
        "this answer alone."
    )
    return PaperSection(
        _("Each question"),
        [*tables.drawn_items(facts), *[note] * any(each.together for each in facts.reports)],
        tables=[tables.questions(facts)],
    )


# Mechanisms -----------------------------------------------------------------------------------------------------------


def _mechanisms(facts: Facts) -> PaperSection:
    return PaperSection(
        _("Mechanisms"),
        [
            _(
                "Every chance is a whole number out of 2^53. The browser compares it with random whole numbers, and "
                "proves from it, in whole numbers, that alpha holds, before it asks anything."
            )
        ],
        tables=[tables.integer_tables(facts)],
    )


# Use, trust, implementation, operation --------------------------------------------------------------------------------


def _use(facts: Facts) -> PaperSection:
    people = {"n": numerals.integer(facts.people)}
    return answered(
        _("Use and bias"),
        {
            _("How precise are the results?"): _(
                "The pre-registration sheet has the precision planned for %(n)s people. Each release has its intervals."
            )
            % people,
            _("Do the mechanisms bias the results?"): _(
                "No. Published estimates are unbiased, and so can lie below 0 or above 100%. Estimates that were "
                "moved into the possible range are called “projected” and are biased."
            ),
            _("Whom does the randomization disadvantage?"): _(
                "Rare answers and small groups: they have the widest intervals. A decision about a small group "
                "should not rest on these numbers without its interval."
            ),
            _("Were parameters tuned on the data?"): _(
                "No. Mechanisms and alphas are frozen before the first report, and do not change afterwards."
            ),
            _("Is a machine-learning model or synthetic data published?"): not_applicable(
                _("only estimates, counts and randomized reports are.")
            ),
        },
    )


def _trust(facts: Facts) -> PaperSection:
    return answered(
        _("Trust and adversaries"),
        {
            _("Which trust model?"): _("The local one: only the respondent’s own browser is trusted with answers."),
            _("Against whom does the guarantee hold?"): _(
                "Against everyone who sees reports or results: operator, staff, thieves, courts, readers, whatever "
                "else they know and however much they compute. Its strength is the alpha above."
            ),
            _("Against whom does it not hold?"): _(
                "People who control the device or the browser, and an operator who serves one person other code. "
                "People who compare the published fingerprints, and the log’s witnesses, would notice that."
            ),
            _("Is there a trusted curator?"): not_applicable(_("answers never reach one.")),
            _("Do shufflers or secure computation take part?"): not_applicable(
                _("the guarantee does not depend on them. Reports are shuffled anyway.")
            ),
            _("How do people get in?"): _entry(facts),
        },
    )


def _entry(facts: Facts) -> str:
    if facts.by_invitation:
        return _(
            "By invitation, one report each. The site signs blindly (RFC 9474), so that nothing stored joins an "
            "invitation and a report. Someone who watches the running site could join them by time."
        )
    return _("By an open link, which can be answered more than once. No account, cookie or IP address is stored.")


def _implementation(facts: Facts) -> PaperSection:
    return answered(
        _("Implementation and side channels"),
        {
            _("Can floating-point numbers weaken it?"): _("No. Draws and proof use whole numbers only."),
            _("Where does randomness come from?"): _(
                "The browser’s cryptographic generator, watched for repetition. One that is predictable without "
                "repeating itself would not be noticed."
            ),
            _("Does the time, length, order or form of a report reveal answers?"): _(
                "No. A browser sends one report. Its length is fixed, and it is about all questions of its form, "
                "including those that routing skipped. Two answers that lead to the same report lead to the same "
                "requests, storage and page; a test in real browsers compares them."
            ),
            _("What can be learned from participation?"): _(
                "The network sees that a report was sent, and when. Where there are forms, the report’s length can "
                "reveal which one the browser drew."
            ),
            _("How is it verified?"): _(
                "By exact enumeration of the channels, and by the page before it asks. The fingerprints of all code "
                "that respondents get are in a public log, at %(address)s."
            )
            % {"address": settings.SITE_URL + reverse("check")},
        },
    )


def _operation(facts: Facts) -> PaperSection:
    numbers = {"batch": numerals.integer(facts.batch), "least": settings.RELEASE_LEAST}
    return answered(
        _("Data, access and releases"),
        {
            _("What is stored about a person?"): _(
                "One randomized report and a random number. The two are separated once the report has been counted. "
                "No answer, name, IP address, cookie or time."
            ),
            _("Who has access to what?"): _(
                "By roles: results for viewers, randomized reports for researchers, questions for designers, roles "
                "and deletion for owners."
            ),
            _("How is the privacy budget managed over releases?"): _(
                "Not needed: everything published is computed from reports that are already private, and costs no "
                "more alpha."
            ),
            _("Can two releases be subtracted?"): _(
                "Two releases have the same reports of a form, or differ by at least %(batch)s of them. A form has "
                "fewer only if the survey ended first, and never fewer than %(least)s."
            )
            % numbers,
            _("What can readers of the results learn at most?"): _readers(facts),
            _("Are queries interactive?"): _(
                "Researchers can request models and cross-tables, which use randomized reports only."
            ),
        },
    )


def _readers(facts: Facts) -> str:
    """Return the bound on readers, from published or planned releases, by the clones' reduction (M49)."""
    if facts.readers is None:
        return _("Nothing: too few people are expected for any result.")
    return " ".join(audiences.sentences(facts.readers))


def _not_promised() -> PaperSection:
    return PaperSection(
        _("What is not promised"),
        items=[
            _("That an answer is hidden on a hostile device, or if the operator serves one person other code."),
            _("That participation, and its time, stay hidden."),
            _("That alpha limits everything about a person who also answers elsewhere."),
            _("That people answer truthfully, or that every forged report is noticed."),
            _("That PostgreSQL’s write-ahead log, backups and snapshots forget at once what the database has removed."),
        ],
    )
