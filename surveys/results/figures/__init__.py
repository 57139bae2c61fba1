"""Plotly figures of a release."""
