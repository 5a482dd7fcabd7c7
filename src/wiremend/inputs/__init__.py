"""Reading files that people have: bytes in, JSON values out, and what conversation they are.

Whatever cannot be used raises ``Unusable`` with one line for a person. Nothing here knows of
the command line.
"""

from wiremend.inputs.choosing import BESIDE_MESSAGES, Choice, Chosen, Wanted, choose, choose_sound
from wiremend.inputs.compression import Output, check_packable
from wiremend.inputs.envelopes import field_of_request
from wiremend.inputs.files import find_files, is_conversation_file, is_parquet
from wiremend.inputs.logs import Opened, opened, record_of
from wiremend.inputs.opencode import stored_sessions
from wiremend.inputs.parsing import NoConversation, Unusable, parse
from wiremend.inputs.recognise import Recognised, recognise
from wiremend.inputs.sources import STDIN, Document, Source, open_source

__all__ = [
    "BESIDE_MESSAGES",
    "STDIN",
    "Choice",
    "Chosen",
    "Document",
    "NoConversation",
    "Opened",
    "Output",
    "Recognised",
    "Source",
    "Unusable",
    "Wanted",
    "check_packable",
    "choose",
    "choose_sound",
    "field_of_request",
    "find_files",
    "is_conversation_file",
    "is_parquet",
    "open_source",
    "opened",
    "parse",
    "recognise",
    "record_of",
    "stored_sessions",
]
