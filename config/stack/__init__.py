"""All processes of a running Candor, started and kept alive by one supervisor."""
