"""A page that is saved: what others changed meanwhile, what is wrong in it, and nothing lost."""
