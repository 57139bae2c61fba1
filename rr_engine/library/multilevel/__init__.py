"""Logistic regression of randomized answers with a random intercept of groups."""
