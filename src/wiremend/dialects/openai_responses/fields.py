"""The notes that this dialect keeps in extras, beside the provider's own fields.

A note's name starts with ``$``, which no provider's field does.
"""

NAME = "openai-responses"

ROLE = "$role"
"""The role on the wire, where the model has another for it: developer."""
ITEM = "$item"
"""The item, or the fields of the message item, that a part, a call or a result was read from."""
KIND = "$type"
"""The type of a part or of an output, where it is not the usual one."""
PLACE = "$in"
"""Where a system message came from: ``instructions`` for the top-level field."""
AT = "$at"
"""Where a message stood, in a history in which results stand apart from their calls."""
KEY = "$key"
"""The field that ties an output to its call, where its type has another one for that."""
FIELD = "$field"
"""The field that holds the content of a file."""
