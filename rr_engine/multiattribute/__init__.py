"""Several attributes at once: joint proportions from independent devices."""
