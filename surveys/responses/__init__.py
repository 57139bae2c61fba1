"""Arriving responses: the envelope, the report spaces, their checks and their aggregation."""
