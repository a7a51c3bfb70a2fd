"""The language of a page: the visitor's choice, else the browser's, else English.

The respondents' page, the API, pictures and files are the same for all visitors of a URL. So two visitors can compare
them, caches may keep them, and only the URL can name a language. A survey's languages are in its definition. The page
for an unknown survey is in the visitor's language.
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
    """Return the page 404 in the visitor's language, also for URLs that are otherwise the same for all visitors."""
    request.LANGUAGE_CODE = translation.get_language_from_request(request)
    with translation.override(request.LANGUAGE_CODE):
        response: HttpResponse = page_not_found(request, exception)
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response


def with_language(query: str) -> str:
    """Return the query of a picture's URL with the page's language, unless that is English."""
    language = translation.get_language()
    own = "" if language in (None, settings.LANGUAGE_CODE) else f"language={language}"
    return "&".join(filter(None, [query, own]))


class LanguageInput(forms.Form):
    language = forms.ChoiceField(choices=settings.LANGUAGES)


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponseBase:
    """Show the choice of languages. Store the choice in a cookie and return to the previous page."""
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
