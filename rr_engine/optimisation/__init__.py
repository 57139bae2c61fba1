"""Designs chosen for accuracy: minimax decks, searched matrices, and the bound on both."""
