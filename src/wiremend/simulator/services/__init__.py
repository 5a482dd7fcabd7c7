"""The HTTP side of each API: keys, headers, sizes, shapes of errors; one module an API."""
