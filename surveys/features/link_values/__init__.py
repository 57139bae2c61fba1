"""Values from the link: direct answers that nobody is asked for, because the link gives them."""
