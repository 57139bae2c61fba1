"""The admin site."""

from django.contrib.admin import AdminSite


class CandorAdminSite(AdminSite):
    site_header = site_title = "Candor"
