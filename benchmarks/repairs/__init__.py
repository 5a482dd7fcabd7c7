"""The same damaged conversations through the repairs and conversions of wiremend and of others."""
