"""Arms: chance asks some people in another way, to see whether that changes the answers."""
