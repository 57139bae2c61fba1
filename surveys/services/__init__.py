"""Write operations: one file per model or task, keyword arguments only."""
