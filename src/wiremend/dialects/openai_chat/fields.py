"""The notes that this dialect keeps in extras, beside the provider's own fields.

A note's name starts with ``$``, which no provider's field does.
"""

NAME = "openai-chat"

ROLE = "$role"
"""The role on the wire, where the model has another for it: developer, function."""
FIELD = "$field"
"""The field of the message that a part was read from and goes back to."""
VALUE = "$value"
"""What that field held."""
FUNCTION = "$function"
"""Unknown fields beside a function's name and arguments."""
PARSED = "$parsed"
"""Whether a call's arguments were an object instead of its text."""
TYPE = "$type"
"""The type of a call where it is not ``function``; None where it had none."""
