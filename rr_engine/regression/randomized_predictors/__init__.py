"""Models in which predictors are randomized."""
