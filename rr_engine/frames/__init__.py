"""Data frames of any package, read by what they have: no package of them is needed or imported."""
