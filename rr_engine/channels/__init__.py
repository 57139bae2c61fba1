"""Mechanisms as linear maps: what estimation, planning and simulation ask of any device."""
