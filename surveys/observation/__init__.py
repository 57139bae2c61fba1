"""The site as its operator sees it from outside: probes, metrics, traces.

docs/decisions/0099-seen-from-outside.md says what may be shown of respondents, and when.
"""
