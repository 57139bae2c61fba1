"""The figures of four papers, computed again."""
