"""A soak: a whole site under simulated load for an hour, and whether it takes more all the time.

`python -m benchmarks.soak` runs it; docs/decisions/0107-a-soak.md says what is judged and why.
"""
