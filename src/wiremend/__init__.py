"""wiremend keeps an agent's rich history and sends only what the provider accepts."""

__version__ = "0.1.0"
