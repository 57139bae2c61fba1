"""The authors' side: Django admin. The site is `surveys.admin.site.CandorAdminSite`."""
