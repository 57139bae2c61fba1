"""The numbers, networks and texts of a release: what only their kinds of question show."""
