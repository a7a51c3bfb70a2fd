"""What a reader can choose on the results page, with the address of each."""

from django.utils.translation import gettext as _

from ldp.document import Document
from ldp.inference.estimates import TARGETS
from ldp.scores import Target
from surveys.researcher.results import choices
from surveys.researcher.results.choices import Choice
from surveys.researcher.results.glossary import METHODS
from surveys.rules.context import Context


def of(document: Document, choice: Choice, about: Target = TARGETS[0]) -> Context:
    """The fields of the form, as (value, text, whether chosen), and the addresses that lead to one change, of a page
    that is about the target `about` unless its address says another one."""
    usual = choices.in_percent(document["confidence"])
    confidence = choice.confidence or usual
    those = _("Only those who were asked") if "forms" in document else _("Only those who took part")
    targets = {TARGETS[0]: _("The population"), TARGETS[1]: those}
    targets = {target: targets[target] for target in sorted(TARGETS, key=lambda each: each != about)}
    methods = choices.methods(document)
    named = {"": _("The usual one for each question")} | {name: str(METHODS[name][0]) for name in methods}
    return {
        "targets": [(target, text, target == choice.target) for target, text in targets.items()],
        "confidences": [(each, f"{each}%", each == confidence) for each in choices.confidences(document)],
        "methods": [(name, text, name == choice.method) for name, text in named.items()] if methods else [],
        "chosen": choice != choices.USUAL._replace(target=about),
        "summary": _summary(choice, targets, confidence),
        "respondents": choice._replace(target=TARGETS[1]).address(about),
        "population": choice._replace(target=TARGETS[0]).address(about),
        "by": {name: choice._replace(method=name).address(about) for name in methods},
    }


def _summary(choice: Choice, targets: dict[Target, str], confidence: str) -> str:
    parts = [targets[choice.target], _("%(level)s confidence") % {"level": f"{confidence}%"}]
    if choice.method:
        parts.append(str(METHODS[choice.method][0]))
    if choice.projected:
        parts.append(_("with projected shares"))
    return " · ".join(parts)
