"""The inspector: history beside wire, each repair where it happened, in a browser or a terminal.

``look`` gives the view, which is pure; ``serving`` shows it on a page of this machine, and
``static_page`` as one file.
"""

from wiremend.inspector.sources import Item, Source
from wiremend.inspector.view import Body, Conversation, History, Options, View, look

__all__ = ["Body", "Conversation", "History", "Item", "Options", "Source", "View", "look"]
