"""The URLs below /account/: allauth's views that need no email, under the names that allauth knows."""

from allauth.account import views as account
from allauth.mfa.base import views as factors
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from django.urls import path
from django.views.decorators.cache import never_cache

from surveys.accounts import account as own
from surveys.accounts import codes, pending, token_pages

urlpatterns = [
    path("", never_cache(own.page), name="account"),
    path("", never_cache(own.page), name="mfa_index"),  # where allauth leads back to
    path("tokens/", never_cache(token_pages.listing), name="tokens"),
    path("tokens/new/", never_cache(token_pages.new), name="token-new"),
    path("tokens/<int:token>/revoke/", never_cache(token_pages.revoke), name="token-revoke"),
    path("zone/", never_cache(own.zone), name="account-zone"),
    path("login/", account.login, name="account_login"),
    path("logout/", never_cache(account.logout), name="account_logout"),
    path("signup/", never_cache(own.SignUpView.as_view()), name="account_signup"),
    path("invitation/", never_cache(own.invitation), name="invitation"),
    path("password/", never_cache(account.password_change), name="account_change_password"),
    path("again/", never_cache(account.reauthenticate), name="account_reauthenticate"),
    path("second-factor/", never_cache(pending.second_factor), name="mfa_authenticate"),
    path("second-factor/again/", never_cache(factors.reauthenticate), name="mfa_reauthenticate"),
    path("second-factor/on/", never_cache(codes.SwitchOn.as_view()), name="mfa_activate_totp"),
    path("second-factor/off/", never_cache(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("second-factor/codes/", never_cache(recovery.view_recovery_codes), name="mfa_view_recovery_codes"),
    path("second-factor/codes/new/", never_cache(recovery.generate_recovery_codes), name="mfa_generate_recovery_codes"),
]
