"""What wiremend costs, beside what its users would run otherwise."""
