"""Filters: questions that are for some people only, without anything telling who they are."""
