"""Everything that a running Candor consists of, started and kept alive by one supervisor."""
