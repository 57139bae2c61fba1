"""Samples with unequal chances, and replication weights."""
