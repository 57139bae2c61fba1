"""The results that the five papers print, computed again."""
