"""Pictures of every page in every state, for whoever changes one to look at."""
