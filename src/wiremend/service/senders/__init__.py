"""Senders, one module a client; each is loaded when it is used, and imports no SDK."""

from __future__ import annotations
