"""The Django admin of this site: what is registered by hand, for superusers, behind the site's own login."""

from django.contrib.admin.apps import SimpleAdminConfig


class AdministrationConfig(SimpleAdminConfig):
    default_site = "surveys.accounts.administration.Administration"
