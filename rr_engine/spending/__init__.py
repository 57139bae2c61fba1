"""How a budget is spent: a total epsilon split over questions, and the smallest total."""
