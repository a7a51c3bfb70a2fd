"""The Django admin of this site: registered by hand, for superusers, behind the site's own sign-in."""

from django.contrib.admin.apps import SimpleAdminConfig


class AdministrationConfig(SimpleAdminConfig):
    default_site = "surveys.accounts.administration.Administration"
