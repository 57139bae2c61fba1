"""Descriptions of a survey and its files in the words of archives: one module for each standard.

Each takes a `Study` and the `DataFile`s that there are, and knows neither launches nor zips.
"""
