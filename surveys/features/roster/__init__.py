"""Rosters: people who answer under a personal link each, and are asked about each other."""
