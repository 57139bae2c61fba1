"""Settings of a run of tests that needs no more of Django than our fixtures import."""

INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes"]
