"""Before the survey: power with anchors, of cheating, and of tests of independence."""
