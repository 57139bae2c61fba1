"""The crowd of a release: simulated people who answer as its reports say, and what they tell."""
