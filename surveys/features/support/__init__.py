"""Support: help in sight after a distressing question, and a way to leave the survey at once."""
