"""The technical annex, by the subjects of NIST SP 800-226: each question is answered, or does not apply because."""

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
                "One person’s whole report: all answers that one browser sends for this survey. Two persons count "
                "as neighbors whatever they answer. That somebody took part is not protected."
            ),
            _("What are the privacy parameters?"): _(
                "α = %(alpha)s for a whole report: no report is more than %(odds)s times likelier for some answers "
                "than for others. The tables below have each question and each part of a report."
            )
            % words,
            _("How do parts and repetitions compose?"): _composition(facts),
            _("How strong is that?"): _strength(facts),
        },
    )


def _composition(facts: Facts) -> str:
    text = _("The alphas of a report’s questions add up, those of answers that are randomized together count once.")
    if facts.is_wave:
        words = {"alpha": decimal(facts.alpha_of_waves), "delta": delta(facts.delta_of_waves)}
        more = _("With all earlier waves: α = %(alpha)s, δ = %(delta)s for who took part in each.")
        return f"{text} {more % words}"
    more = _("Who answers again, here or in another survey, adds the alphas of both reports; no program enforces that.")
    return f"{text} {more}"


def _strength(facts: Facts) -> str:
    rows = [facts.largest.belief(prior) for prior in PRIORS]
    sentence = _("A guess of %(prior)s%% ends between %(low)s%% and %(high)s%%.")
    numbers = zip(PRIORS, rows, strict=True)
    return " ".join(sentence % {"prior": prior, "low": low, "high": high} for prior, (low, high) in numbers)


def _each_question(facts: Facts) -> PaperSection:
    note = _(
        "Of answers that are randomized together α is that of all of them, and “realized” what a report tells from "
        "this answer alone."
    )
    return PaperSection(
        _("Each question"), [note] * any(each.together for each in facts.reports), tables=[tables.questions(facts)]
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
                "As the pre-registration sheet says for %(n)s people, and each release by its intervals."
            )
            % people,
            _("Do the mechanisms bias the results?"): _(
                "No. Published estimates are unbiased, and so can lie below 0 or above 100%. What is put back into "
                "the possible range is called “projected” and is biased."
            ),
            _("Whom does the randomization disadvantage?"): _(
                "Rare answers and small groups: they have the widest intervals. A decision about a small group "
                "should not rest on these numbers without its interval."
            ),
            _("Were parameters tuned on the data?"): _(
                "No. Mechanisms and alphas are frozen before the first report, and nothing of them changes after."
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
            _("Which trust model?"): _(
                "The local one: nobody but the respondent’s own browser is trusted with answers."
            ),
            _("Against whom does the guarantee hold?"): _(
                "Against everybody who sees reports or results: operator, staff, thieves, courts, readers, "
                "whatever they know beside and however much they compute. Its strength is the alpha above."
            ),
            _("Against whom does it not hold?"): _(
                "Whoever controls the device or the browser, and an operator who serves one person other code. "
                "That would show to those who compare the published fingerprints, and to the log’s witnesses."
            ),
            _("Is there a trusted curator?"): not_applicable(_("answers never reach one.")),
            _("Do shufflers or secure computation take part?"): not_applicable(
                _("the guarantee does not rest on them. Reports are shuffled all the same.")
            ),
            _("How do people get in?"): _entry(facts),
        },
    )


def _entry(facts: Facts) -> str:
    if facts.by_invitation:
        return _(
            "By invitation, one report each. The site signs blindly (RFC 9474), so that nothing stored joins an "
            "invitation and a report. Whoever watches the running site could join them by time."
        )
    return _("By an open link, which can be answered more than once. No account, cookie or address is stored.")


def _implementation(facts: Facts) -> PaperSection:
    return answered(
        _("Implementation and side channels"),
        {
            _("Can floating-point numbers weaken it?"): _("No. Draws and proof use whole numbers only."),
            _("Where does randomness come from?"): _(
                "The browser’s cryptographic generator, watched for repetition. One that is predictable without "
                "repeating itself would not be noticed."
            ),
            _("Does time, length, order or form of a report tell of answers?"): _(
                "No. A report is one, of fixed length, of all questions of its part, also of those that were "
                "skipped by routing. Two answers that lead to the same report lead to the same requests, storage "
                "and page; a test in real browsers compares them."
            ),
            _("What can be learned from participation?"): _(
                "The network sees that and when a report was sent. Where parts are drawn, its length can tell which."
            ),
            _("How is it verified?"): _(
                "By exact enumeration of the channels, and by the page before it asks. The fingerprints of all "
                "code that respondents get stand in a public log, at %(address)s."
            )
            % {"address": settings.SITE_URL + reverse("check")},
        },
    )


def _operation(facts: Facts) -> PaperSection:
    numbers = {"batch": numerals.integer(facts.batch), "least": settings.RELEASE_LEAST}
    return answered(
        _("Data, access and releases"),
        {
            _("What is stored of a person?"): _(
                "One randomized report and, apart from it once it was counted, a random number. No answer, name, "
                "address, cookie or time."
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
                "Two releases of a part differ by no report or by at least %(batch)s. Fewer stand in one only "
                "where the survey ended before that part ever had so many, and never fewer than %(least)s."
            )
            % numbers,
            _("What can readers of the results learn at most?"): _readers(facts),
            _("Are queries interactive?"): _(
                "Models and cross-tables can be ordered. They too read randomized reports only."
            ),
        },
    )


def _readers(facts: Facts) -> str:
    """By the clones' reduction for shuffled reports, for published or planned releases (M49)."""
    if facts.readers is None:
        return _("Nothing: too few people are expected for any result.")
    return " ".join(audiences.sentences(facts.readers))


def _not_promised() -> PaperSection:
    return PaperSection(
        _("What is not promised"),
        items=[
            _("That an answer is hidden on a hostile device, or if the operator serves one person other code."),
            _("That it stays hidden that, and when, somebody took part."),
            _("More than alpha for who answers again elsewhere."),
            _("That people answer truthfully, or that every forged report is noticed."),
            _("That PostgreSQL’s write-ahead log, backups and snapshots forget at once what the database has removed."),
        ],
    )
