"""How exact the results of a draft would be: in formulas, in curves and in simulated surveys."""
