"""Servers that speak Chat Completions in their own way: one module, one profile each."""
