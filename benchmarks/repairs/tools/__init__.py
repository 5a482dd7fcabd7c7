"""The tools that are compared, each called in the most favourable way that it documents."""
