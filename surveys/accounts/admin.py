"""Accounts in the Django admin. Roles are given on each survey's team page; model permissions mean nothing here."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from surveys.accounts.ownership import left_alone, sentence

# The module of UserAdmin registers both on import.
admin.site.unregister([User, Group])


@admin.register(User)
class AccountAdmin(UserAdmin):
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (None, {"fields": ("is_active", "is_superuser", "last_login", "date_joined")}),
    )
    readonly_fields = ("last_login", "date_joined")
    list_display = ("username", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    search_fields = ("username",)
    filter_horizontal = ()

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Return the objects to delete. Each survey that would lose its last owner protects them with a sentence."""
        deleted, counts, denied, protected = super().get_deleted_objects(objs, request)
        alone = [sentence(survey) for survey in left_alone(objs)]
        return deleted, counts, denied, [*protected, *alone]


@admin.register(Authenticator)
class SecondFactorAdmin(admin.ModelAdmin):
    """Removal of second factors that their owners have lost. The secret is not shown."""

    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")
    list_display = ("user", "kind", "created_at", "last_used_at")
    list_select_related = ("user",)

    @admin.display(description=_("second factor"))
    def kind(self, authenticator: Authenticator) -> str:
        return str(authenticator.get_type_display())

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
