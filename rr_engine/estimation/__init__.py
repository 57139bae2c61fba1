"""From counts of reports to estimates of true proportions."""
