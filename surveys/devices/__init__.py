"""Device families: when they fit, how they are built, what they say."""
