"""The replication bundle: everything that a reader may have of one release, in one zip."""
