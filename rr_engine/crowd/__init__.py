"""The pooled distribution: statistics of a crowd from the tables of clusters of attributes."""
