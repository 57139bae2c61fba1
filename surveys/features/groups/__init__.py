"""Groups: questions of which all answers go into one draw."""
