"""The pages that belong to no survey."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What Deniable is, for someone who arrives without a link to a survey."""
    return render(request, "home.html")
