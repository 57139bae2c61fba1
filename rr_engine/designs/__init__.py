"""Constructors of randomizing devices."""
