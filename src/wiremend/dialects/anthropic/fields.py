"""The notes that this dialect keeps in extras, beside the provider's own fields."""

NAME = "anthropic"

PLACE = "$in"
"""Where a system message came from: ``system`` for the top-level field."""
BLANK = "$blank"
"""The text that content was, where it was blank: the provider takes it only in some places."""
SOURCE = "$source"
"""Fields of an image's or document's source that have no place in the model."""
LABEL = "$label"
"""In a document's extras: the label of text that is not called plain text."""
