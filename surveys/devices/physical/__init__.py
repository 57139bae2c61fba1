"""Physical randomizers: a coin, dice, a harmless second question."""
