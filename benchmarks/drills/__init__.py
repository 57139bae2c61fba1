"""Drills: a site as docs/operating.md has it, under load, while something ends or breaks.

`python -m benchmarks.drills` runs them; docs/decisions/0105-drills.md says what they have found.
"""
