"""Questions that are sent together: their joint table, and every pair of them."""
