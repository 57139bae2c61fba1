"""Candor's database settings and secret; of its middleware only the CSRF check."""

from config.settings import DATABASES, LOGGING, SECRET_KEY

__all__ = ["DATABASES", "LOGGING", "SECRET_KEY"]

ALLOWED_HOSTS = ["*"]
INSTALLED_APPS = ["benchmarks.bare.apps.BareConfig"]
MIDDLEWARE = ["django.middleware.csrf.CsrfViewMiddleware"]
ROOT_URLCONF = "benchmarks.bare.urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
