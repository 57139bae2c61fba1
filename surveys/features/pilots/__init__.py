"""Pilots: each person is asked one pair of the questions, which chance picks."""
