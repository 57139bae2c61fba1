"""How results are shown: as text, in a notebook, as a data frame, and as a figure."""
