"""Pages on which an author tries out a draft; nothing of it is stored."""
