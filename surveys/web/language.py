"""In which language a page speaks to whom: the visitor's choice, else the browser's, else English.

A respondent's page, what programs read, pictures and the files of the site are the same for everybody at one address,
so that two visitors can compare what they got and caches may keep it: only the address can ask for a language there.
A survey's own languages are a matter of its definition. Where there is no survey, the page that says so is the
visitor's.
"""

import re

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods
from django.views.defaults import page_not_found

SAME_FOR_ALL = re.compile(
    r"/(?:s|respond|api/v1|static)/|/(?:alive|healthz|status|metrics)$|.*/downloads/[^/]+\.\w+$"
    r"|.*\.(?:json|py|csv|svg|png|pdf)$"
)


class ChooseLanguage(LocaleMiddleware):
    def process_request(self, request: HttpRequest) -> None:
        if SAME_FOR_ALL.match(request.path_info):
            language = request.GET.get("language")
            request.LANGUAGE_CODE = language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
            translation.activate(request.LANGUAGE_CODE)
        else:
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        return response if SAME_FOR_ALL.match(request.path_info) else super().process_response(request, response)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, in the visitor's language also where the address is the same for everybody."""
    request.LANGUAGE_CODE = translation.get_language_from_request(request)
    with translation.override(request.LANGUAGE_CODE):
        response: HttpResponse = page_not_found(request, exception)
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response


def with_language(query: str) -> str:
    """The query of a picture's address, with the language of the page that shows it unless that is English."""
    language = translation.get_language()
    own = "" if language in (None, settings.LANGUAGE_CODE) else f"language={language}"
    return "&".join(filter(None, [query, own]))


class LanguageInput(forms.Form):
    language = forms.ChoiceField(choices=settings.LANGUAGES)


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponseBase:
    """The choice, kept in a cookie of this browser, and back to where it was made."""
    back = request.POST.get("next") or request.GET.get("next") or "/"
    if not url_has_allowed_host_and_scheme(back, None):
        back = "/"
    chosen = LanguageInput(request.POST)
    if request.method == "POST" and chosen.is_valid():
        response = HttpResponseRedirect(back)
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen.cleaned_data["language"],
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
        return response
    return render(request, "language.html", {"languages": settings.LANGUAGES, "next": back})
