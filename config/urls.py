"""Root addresses: the admin, and everything else in `surveys.urls`."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("surveys.urls")),
]

handler500 = "surveys.views.errors.server_error"
