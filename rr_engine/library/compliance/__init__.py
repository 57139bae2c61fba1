"""Whether respondents follow the device: estimates by other groups and by known items."""
