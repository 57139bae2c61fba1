"""What is unsafe about a site or will not work, as `manage.py candor check` says it."""
