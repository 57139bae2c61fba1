"""Networks: counts with noise, and how far one tie changes them."""
