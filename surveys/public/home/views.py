"""The first page."""

import json

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.public.home import calculator, trial
from surveys.public.home.example import example


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    context = calculator.needed(request.GET) | {
        "trial": trial.trial(),
        "script": json.dumps(trial.script()),
        "example": example(),
        "operator": settings.SITE_OPERATOR,
        "contact": settings.SITE_CONTACT,
        "notice": settings.SITE_NOTICE,
    }
    return render(request, "public/home.html", context)
