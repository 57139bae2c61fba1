"""The authors' side: Django admin."""
