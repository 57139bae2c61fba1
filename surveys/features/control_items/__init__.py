"""Control items: scrambled questions of which it is known how many people could truly say yes."""
