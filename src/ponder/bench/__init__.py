"""How fast is it here: measured rates, the same work beside OpenSpiel, a signature of results."""
