"""The annex to a data protection impact assessment. It names what can be singled out, linked and inferred, with a bound
for each. It supports the assessment and does not claim that the data are anonymous in law."""

from django.utils.translation import gettext as _

from ldp.planning import meaning
from surveys.designer.evidence.facts import Facts, ReportFacts
from surveys.designer.evidence.paper import Paper, PaperSection, PaperTable, answered, joined, missing
from surveys.designer.evidence.tables import drawn_items, reports
from surveys.figures import audiences, numerals
from surveys.models.report import KEEP_IDS
from surveys.rules.texts import decimal


def of_facts(facts: Facts) -> Paper:
    return Paper(
        _("Annex to a data protection impact assessment"),
        _(
            "It supports the assessment and does not replace it. Whether the reports are anonymous in law is for the "
            "controller to judge; nothing here says so."
        ),
        [
            _processing(facts),
            _singling_out(facts),
            _linkability(facts),
            _inference(facts),
            *_readers(facts),
            _retention(facts),
            _access(facts),
            _releases(facts),
            _rights(),
            _left_over(facts),
            _signature(),
        ],
    )


def _processing(facts: Facts) -> PaperSection:
    given = facts.disclosure
    return answered(
        _("Processing"),
        {
            _("Controller"): missing(given.conductor),
            _("Contact"): missing(given.contact),
            _("Whom it concerns"): missing(given.population),
            _("What is processed"): _(
                "The answers in the respondent’s browser only. On the server: randomized reports, for a moment the IP "
                "address of the connection, as on every web server, and accounts of staff."
            ),
            _("How many people"): _people(facts),
            _("Technical measures"): _(
                "Randomization in the browser, encrypted transport (https), roles for each survey, a second factor "
                "for accounts, and the deletion below."
            ),
            _("Processors, hosting, transfers to other countries"): _(
                "[for the controller to fill in: the survey does not determine this]"
            ),
            _("Legal basis, purpose and necessity"): _(
                "[for the controller to fill in: the survey does not determine this]"
            ),
        },
    )


def _people(facts: Facts) -> str:
    words = {"n": numerals.integer(facts.people)}
    known = facts.survey.expected_n is not None
    planned = (_("%(n)s are expected.") if known else _("No number was given; %(n)s are assumed.")) % words
    if facts.release is None:
        return planned
    return f"{planned} {_('Reports')}: {numerals.integer(facts.release.n)}."


def _singling_out(facts: Facts) -> PaperSection:
    return PaperSection(
        _("Singling out"),
        [
            _(
                "A stored report has no name, IP address or time. The bound is for the strongest attacker, who knows "
                "all answers, has all reports of a part, and wants to find one person’s report. A guess at random is "
                "right as often as the third column says. No attack is right more often than the last column says."
            ),
            *_apart(facts),
        ],
        tables=[
            PaperTable(
                _("Naming one person’s report among those of a form"),
                [_("Form"), _("Reports"), _("By pure chance"), _("At most")],
                [_single(each, facts) for each in facts.reports],
            )
        ],
    )


def _apart(facts: Facts) -> list[str]:
    text = _("Each bound leaves out a chance (δ) of at most %(chance)s.")
    return [text % {"chance": numerals.chance(facts.delta)}] if facts.delta else []


def _single(each: ReportFacts, facts: Facts) -> list[str]:
    known = facts.reports_of(each)
    n = max(1, round(facts.people * each.share / max(1, len(facts.groups))) if known is None else known)
    number = numerals.integer(n)
    row = number if known is not None else _("%(n)s (planned)") % {"n": number}
    return [str(each.number), row, _percent(1 / n), _percent(float(meaning.identification(each.factor, n)))]


def _percent(share: float) -> str:
    """Return the share in percent, rounded up."""
    return numerals.percentage(numerals.rounded_up(100 * share))


def _linkability(facts: Facts) -> PaperSection:
    invited = _(
        "An invitation and its report: nothing stored joins them (blind signature, RFC 9474). Someone who watches the "
        "running site could join them by time."
    )
    items = [
        _("Two reports of one person, here or in two surveys: no common number, cookie or account. Their alphas add."),
        invited if facts.by_invitation else _("Invitations: not applicable, because the survey is by open link."),
    ]
    if facts.groups:
        text = _("Groups: a report names its group, so a person is hidden only among that group: %(names)s.")
        items.append(text % {"names": joined(facts.groups)})
    if facts.is_wave:
        text = _("All waves together: α = %(alpha)s for a person who took part in every wave.")
        items.append(text % {"alpha": decimal(facts.alpha_of_waves)})
    return PaperSection(_("Linkability"), items=items)


def _inference(facts: Facts) -> PaperSection:
    return PaperSection(
        _("Inference"),
        [
            _(
                "How much a whole report can change someone’s belief about one answer or all answers, whatever else "
                "they know and whatever the report is. The last columns show where a guess ends."
            ),
            *drawn_items(facts),
            *_apart(facts),
        ],
        tables=[reports(facts)],
    )


def _readers(facts: Facts) -> list[PaperSection]:
    if facts.readers is None:
        return []
    planned = [] if facts.releases else [_("As planned, for the people who are expected.")]
    return [PaperSection(str(audiences.TITLE), [*audiences.sentences(facts.readers), *planned])]


def _retention(facts: Facts) -> PaperSection:
    numbers = {"days": KEEP_IDS.days, "least": facts.least, "batch": numerals.integer(facts.batch)}
    rows = [
        [_("Answers"), _("in the browser until they are sent or the page is left; never on the server")],
        [
            _("Reports that wait"),
            _("until %(batch)s of a form are there or the survey ends, and a worker has counted them") % numbers,
        ],
        [_("Random numbers of reports"), _("%(days)s days after the survey has ended") % numbers],
        [_("Shuffled reports, totals, releases"), _("until an owner deletes the survey")],
        [_("Fewer than %(least)s reports at the end") % numbers, _("erased at once, nothing is published")],
        [_("The browser’s own receipt"), _("until the respondent clears it: that this survey was answered, not how")],
        [_("Backups, write-ahead log"), _("[for the operator to say; docs/operators/settings.md has the settings]")],
    ]
    return PaperSection(
        _("Retention"), tables=[PaperTable(_("What is kept for how long"), [_("What"), _("How long")], rows)]
    )


def _access(facts: Facts) -> PaperSection:
    reports = _("anyone") if facts.survey.microdata_public else _("researchers of the survey")
    results = _("anyone with the link") if facts.survey.results_public else _("people with a role on the survey")
    rows = [
        [_("Answers"), _("the respondent’s own browser")],
        [_("That a person takes part"), _("the network, and the server at that moment; it is not stored")],
        [_("A single waiting report"), _("anyone who can read the database")],
        [_("Randomized reports, shuffled"), reports],
        [_("Results"), results],
        [_("What staff did"), _("owners of the survey")],
    ]
    return PaperSection(_("Who sees what"), tables=[PaperTable(_("Access"), [_("What"), _("Who")], rows)])


def _releases(facts: Facts) -> PaperSection:
    numbers = {"batch": numerals.integer(facts.batch), "least": facts.least, "n": len(facts.releases)}
    texts = [
        _(
            "Reports are counted in batches, and published numbers change only with a release. Two releases have the "
            "same reports of a form, or differ by at least %(batch)s of them. A form with fewer than %(least)s "
            "reports at the end is not published."
        )
        % numbers
    ]
    if not facts.releases:
        return PaperSection(_("Batches and releases"), [*texts, _("There is no release yet.")])
    head = [_("Release"), _("Day"), _("Reports"), _("SHA-256 of the totals")]
    rows = [[str(each.number), each.day.isoformat(), str(each.n), each.digest] for each in facts.releases]
    return PaperSection(_("Batches and releases"), texts, tables=[PaperTable(_("All releases"), head, rows)])


def _rights() -> PaperSection:
    return PaperSection(
        _("Rights of the people concerned"),
        items=[
            _("Information: the privacy statement, before anything is sent, and on the page itself."),
            _("Access, correction, erasure of one report: not possible, since nothing shows whose report it is."),
            _("Withdrawal: until “send”. The statement says so."),
        ],
    )


def _left_over(facts: Facts) -> PaperSection:
    items = [
        _("The device of a respondent, and people who look over their shoulder."),
        _("Metadata of the connection, which the operator’s network and proxy see."),
        _("Manipulated code for one person: comparing fingerprints reveals it, and the browser cannot rule it out."),
        _("Copies that the operator makes: backups, snapshots, the database’s log."),
        _("Results about small groups can affect a group even if they reveal nothing about one person."),
    ]
    if not facts.by_invitation:
        items.append(_("Repeated answers through the open link: less privacy for that person, and wrong results."))
    return PaperSection(_("Remaining risks"), items=items)


def _signature() -> PaperSection:
    """Return empty fields for a signature on paper."""
    line = "\N{HORIZONTAL ELLIPSIS}" * 24
    names = _("Name and function"), _("Place and date"), _("Signature")
    return answered(_("Signature"), dict.fromkeys(names, line))
