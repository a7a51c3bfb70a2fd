"""The lab's tables and sentences: numbers become text here, not in a template."""

import math

from django.utils.translation import gettext as _

from ldp.central import composition, trust
from surveys.figures import numerals
from surveys.figures.sentences import comma_separated
from surveys.public.lab.curves import claims, forms, limits, means, middles, noises, three_ways, together
from surveys.public.lab.curves.numbers import Numbers
from surveys.rules.context import Context


def of_three_ways(numbers: Numbers) -> Context:
    """Return the rows, and how many people the difference between them is worth."""
    errors = trust.standard_errors(numbers.n, numbers.alpha, numbers.d, numbers.share)
    of = {"none": errors.without_privacy, "curator": errors.curator, "local": errors.local}
    return {
        "rows": [_row(row, of[row.trust]) for row in three_ways.rows(numbers)],
        "price": numerals.number(errors.local / errors.without_privacy, 1),
        "price_of_locality": numerals.number(errors.local / errors.curator, 1),
        "needed": numerals.rounded_up(numbers.n * (errors.local / errors.without_privacy) ** 2),
        "worth": numerals.count(numbers.n * (errors.without_privacy / errors.local) ** 2),
        "share": percent(numbers.share),
        "others": numbers.d > 2,
        "each": numerals.small(trust.alpha_of_each(numbers.alpha, numbers.d)),
    }


def _row(row: trust.TrustInterval, error: float) -> Context:
    methods = {"exact": _("exact"), "most powerful": _("most powerful"), "fiducial": _("fiducial")}
    low, high = row.interval
    decimals = numerals.decimals_for(error)
    return {
        "trust": three_ways.names()[row.trust],
        "method": methods.get(row.method, _("normal")),
        "interval": numerals.span((low, high), decimals),
        "width": numerals.share(high - low, decimals),
        "coverage": numerals.share(row.coverage, 2),
        "main": row.method in ("exact", "most powerful"),
    }


def of_mean(numbers: Numbers) -> Context:
    errors = means.squared_errors(numbers.n, numbers.alpha)
    names = three_ways.names()
    return {
        "rows": [
            (names[model], numerals.small(error), numerals.small(math.sqrt(error)))
            for model, error in zip(three_ways.MODELS, errors, strict=True)
        ],
        "noise_is": percent(1 - errors.without_privacy / errors.curator, 1),
    }


def of_tests(numbers: Numbers) -> Context:
    return {
        "null": percent(numbers.null),
        "share": percent(numbers.share),
        "level": percent(numbers.level),
        "true": numbers.share > numbers.null,
        "rows": [
            (
                method.label,
                numerals.share(method.chance(numbers, numbers.null, numbers.level), 2),
                numerals.share(method.chance(numbers, numbers.share, numbers.level), 1),
            )
            for method in claims.methods()
        ],
    }


def of_quantiles(numbers: Numbers) -> Context:
    plain, smooth = middles.both(numbers)
    names = _("Lower quartile"), _("Median"), _("Upper quartile")
    return {
        "people": numerals.count(middles.people(numbers)),
        "fewer": numbers.n > middles.PEOPLE_MAX,
        "atom": percent(numbers.atom),
        "moved": middles.STEPS,
        "top": middles.TOP,
        "size": middles.SIZE,
        "rows": [
            (name, one.true, numerals.count(one.error), numerals.count(two.error))
            for name, one, two in zip(names, plain, smooth, strict=True)
        ],
    }


def of_noise(numbers: Numbers) -> Context:
    moments = noises.share_moments(numbers)
    return {
        "rows": [
            (
                kind.name,
                *map(numerals.small, (kind.deviation, kind.reach)),
                numerals.small(kind.delta) if kind.delta else "0",
            )
            for kind in noises.kinds(numbers)
        ],
        "part_deviation": numerals.small(math.sqrt(moments.variance)),
        "part_size": numerals.small(moments.absolute),
        "part_kurtosis": numerals.count(moments.kurtosis),
    }


def of_together(numbers: Numbers) -> Context:
    alphas = composition.totals(numbers.alpha, numbers.times, numbers.delta)
    groups = [(k, *composition.group(numbers.alpha, k, numbers.delta)) for k in together.GROUPS]
    return {
        "rows": [(name, numerals.small(total)) for (name, _role), total in zip(together.ways(), alphas, strict=True)],
        "groups": [(k, numerals.small(alpha), numerals.small(delta)) for k, alpha, delta in groups],
        "readers": numerals.small(together.for_readers(numbers)),
    }


def of_forms(numbers: Numbers) -> Context:
    """Return the cost of each way of asking, in people and in the width of every interval."""
    prices = forms.prices(numbers.alpha, numbers.questions)
    plain = math.sqrt(0.25 / numbers.n)
    return {
        "rows": [
            {
                "way": label,
                "price": numerals.number(price, 1),
                "error": numerals.share(plain * math.sqrt(price), 1),
                "is_bound": dashed,
            }
            for (label, _role, dashed), price in zip(forms.ways(), prices, strict=False)
        ],
        "size": prices.size,
        "fewer": numerals.number(prices.everything / prices.together, 1),
        "each": numerals.small(numbers.alpha / numbers.questions),
        "surveys": [_survey(survey) for survey in forms.surveys(numbers.alpha)],
        "attained": percent(prices.bound / prices.together, 0),
    }


def _survey(survey: forms.ExampleSurvey) -> Context:
    """Return a survey whose questions have more than two options."""
    prices = {"everything": survey.everything, "alone": survey.alone, "proposed": survey.proposed}
    return {name: "–" if price is None else numerals.number(price, 1) for name, price in prices.items()} | {
        "count": len(survey.options),
        "options": survey.options[0] if len(set(survey.options)) == 1 else comma_separated(map(str, survey.options)),
        "forms": comma_separated(map(str, survey.forms)),
        "fewer": "–" if survey.everything is None else numerals.number(survey.everything / survey.proposed, 1),
    }


def of_limits(numbers: Numbers) -> Context:
    squared, absolute = limits.question_errors(numbers)
    names = three_ways.names()
    return {
        "rows": [
            (names[model], numerals.small(one), numerals.share(math.sqrt(one), 1), numerals.share(two, 1))
            for model, one, two in zip(three_ways.MODELS, squared, absolute, strict=True)
        ]
    }


def percent(value: float, decimals: int = 4) -> str:
    """Return the percentage without trailing zeros."""
    return numerals.percentage(numerals.tick(round(100 * value, decimals)))
