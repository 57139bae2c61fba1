"""The figures of three papers, computed again."""
