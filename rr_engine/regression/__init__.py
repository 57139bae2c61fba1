"""Models of randomized answers: regressions whose likelihood asks each respondent's own device."""
