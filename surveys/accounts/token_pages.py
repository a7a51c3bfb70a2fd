"""/account/tokens/: the user's API tokens: list, make, revoke."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surveys.access import surveys_of
from surveys.accounts import tokens
from surveys.models import Scope, Survey, Token

LASTING = [
    (7, gettext_lazy("A week")),
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (tokens.DAYS_MAX, gettext_lazy("A year")),
]


class TokenInput(forms.Form):
    name = forms.CharField(
        max_length=80,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("The program or machine that will use it."),
        widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "off"}),
    )
    survey = forms.ModelChoiceField(
        Survey.objects.none(),
        required=False,
        label=gettext_lazy("Survey"),
        empty_label=gettext_lazy("Every survey that I can see"),
    )
    scope = forms.ChoiceField(
        choices=[
            (Scope.RESULTS, gettext_lazy("Results")),
            (Scope.MICRODATA, gettext_lazy("Results and microdata")),
            (Scope.INVITATIONS, gettext_lazy("Make and send invitations")),
            (Scope.STUDIO, gettext_lazy("Everything: also draft, open and end surveys, and give roles")),
        ],
        label=gettext_lazy("Permissions"),
        initial=Scope.RESULTS,
    )
    days = forms.TypedChoiceField(choices=LASTING, coerce=int, label=gettext_lazy("Expires after"), initial=90)

    def __init__(self, user: Any, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["survey"].queryset = (  # type: ignore[attr-defined]
            surveys_of(user).exclude(state=Survey.State.DRAFT).order_by("title", "pk")
        )

    @property
    def scopes(self) -> list[Scope]:
        scope = Scope(self.cleaned_data["scope"])
        covered = {Scope.MICRODATA: [Scope.RESULTS, scope], Scope.STUDIO: list(Scope)}
        return covered.get(scope, [scope])


@require_safe
@login_required
def listing(request: HttpRequest) -> HttpResponse:
    """List the active tokens, and below them the ended ones."""
    assert request.user.is_authenticated
    mine = list(Token.objects.filter(user=request.user).select_related("survey"))
    day = tokens.today()
    context = {"working": [token for token in mine if token.works_on(day)]}
    context |= {"ended": [token for token in mine if not token.works_on(day)]}
    return render(request, "account/tokens.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reauthentication_required
def new(request: HttpRequest) -> HttpResponse:
    """Show the form. The response to a valid form shows the new token once."""
    assert request.user.is_authenticated
    form = TokenInput(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form_texts = form.cleaned_data
        try:
            made, text = tokens.make(
                request.user, form_texts["name"], form.scopes, form_texts["days"], form_texts["survey"]
            )
        except tokens.TooManyTokens:
            most = tokens.WORKING_MAX
            form.add_error(
                None,
                ngettext(
                    "You have %(n)d token already. Revoke one first.",
                    "You have %(n)d tokens already. Revoke one first.",
                    most,
                )
                % {"n": most},
            )
        else:
            return render(request, "account/token_made.html", {"made": made, "text": text})
    return render(request, "account/token_new.html", {"form": form})


@require_POST
@login_required
def revoke(request: HttpRequest, token: int) -> HttpResponse:
    assert request.user.is_authenticated
    row = get_object_or_404(Token.objects.select_related("survey"), pk=token, user=request.user)
    tokens.revoke(request.user, row)
    messages.success(request, _("The token “%(name)s” has been revoked and no longer works.") % {"name": row.name})
    return redirect("tokens")
