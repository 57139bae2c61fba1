"""`manage.py candor`, and former names of what it does now."""
