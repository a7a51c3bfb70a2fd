"""/admin/: for superusers only. They sign in as all users do, with a second factor if they have one.

Only tasks that the studio lacks are here: lists of accounts, and removal of second factors. A session is enough to read
the lists. Pages that change something ask for the password again, as the account pages do.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def _changes(request: HttpRequest) -> bool:
    """Return whether the request may change something. Redirects, lists and the lists' script change nothing."""
    name = (request.resolver_match.url_name if request.resolver_match else None) or ""
    if name in ("login", "logout", "password_change", "jsi18n"):
        return False
    return request.method not in ("GET", "HEAD") or not (name in ("index", "app_list") or name.endswith("_changelist"))


class Administration(AdminSite):
    site_header = site_title = "Deniable"
    index_title = "Accounts"

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the user is an active superuser. Model permissions mean nothing here."""
        return request.user.is_active and request.user.is_superuser

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Wrap a view: 404 for signed-in users who are not superusers, the sign-in page for other visitors."""
        guarded = super().admin_view(view, cacheable)

        @wraps(guarded)
        def inner(request: HttpRequest, *args: Any, **options: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not self.has_permission(request):
                raise Http404
            if _changes(request):
                raise_if_reauthentication_required(request, app="allauth.mfa")
            return guarded(request, *args, **options)

        return cast(View, inner)

    def login(self, request: HttpRequest, extra_context: Any = None) -> Any:
        if request.user.is_authenticated and not self.has_permission(request):
            raise Http404
        wanted = request.GET.get("next") or reverse("admin:index")
        return redirect("admin:index") if request.user.is_authenticated else redirect_to_login(wanted)

    def logout(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return redirect("account_logout")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        return redirect("account_change_password")
