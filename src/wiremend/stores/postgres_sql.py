"""What the PostgreSQL store says to the server."""

from __future__ import annotations

VERSION = 1

SCHEMA = (
    "CREATE SCHEMA IF NOT EXISTS wiremend",
    "CREATE TABLE wiremend.format (version integer NOT NULL)",
    """CREATE TABLE wiremend.sessions (
      key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE,
      records bigint NOT NULL, created bigint NOT NULL, updated bigint NOT NULL,
      parent text REFERENCES wiremend.sessions (id), at bigint)""",
    "CREATE INDEX forks ON wiremend.sessions (parent) WHERE parent IS NOT NULL",
    """CREATE TABLE wiremend.records (
      session bigint NOT NULL REFERENCES wiremend.sessions (key) ON DELETE CASCADE,
      number bigint NOT NULL, checksum bigint NOT NULL, batch bigint NOT NULL, data bytea NOT NULL,
      PRIMARY KEY (session, number))""",
    """CREATE TABLE wiremend.snapshots (
      session bigint NOT NULL REFERENCES wiremend.sessions (key) ON DELETE CASCADE,
      at bigint NOT NULL, checksum bigint NOT NULL, data bytea NOT NULL,
      PRIMARY KEY (session, at))""",
    "CREATE TABLE wiremend.blobs (name text PRIMARY KEY, data bytea NOT NULL)",
    "INSERT INTO wiremend.format VALUES (1)",
)
# Not to_regclass: its cache would not see what was committed while waiting for the lock.
HAS_SCHEMA = (
    "SELECT EXISTS (SELECT FROM pg_catalog.pg_tables"
    " WHERE schemaname = 'wiremend' AND tablename = 'format')"
)
ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtext('wiremend schema'))"
VERSION_FOUND = "SELECT max(version) FROM wiremend.format"
# An append that returned must survive a crash, and a writer that waited for another must see what
# that one wrote, whatever the server's defaults are.
SETTINGS = (
    "SELECT set_config('lock_timeout', %s, false),"
    " set_config('default_transaction_isolation', 'read committed', false),"
    " set_config('synchronous_commit', CASE current_setting('synchronous_commit')"
    " WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)"
)

ALL_SESSIONS = "SELECT key, id, records, created, updated, parent, at FROM wiremend.sessions"
ONE_SESSION = f"{ALL_SESSIONS} WHERE id = %s"
# How a session's row is locked. Appends exclude each other, removing excludes everything, and
# making a fork or a snapshot only excludes removing.
APPENDING = "FOR NO KEY UPDATE"
REMOVING = "FOR UPDATE"
KEEPING = "FOR KEY SHARE"
NEW_SESSION = (
    "INSERT INTO wiremend.sessions (id, records, created, updated, parent, at)"
    " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (id) DO NOTHING RETURNING key"
)
ONE_FORK = "SELECT id FROM wiremend.sessions WHERE parent = %s LIMIT 1"
DELETE = "DELETE FROM wiremend.sessions WHERE key = %s"

NEW_RECORDS = (
    "INSERT INTO wiremend.records (session, batch, number, checksum, data)"
    " SELECT %s, %s, * FROM unnest(%s::bigint[], %s::bigint[], %s::bytea[])"
)
NEW_LENGTH = "UPDATE wiremend.sessions SET records = %s, updated = %s WHERE key = %s"
COUNT_BATCH = (
    "SELECT count(*) FROM wiremend.records"
    " WHERE session = %s AND number > %s AND number <= %s AND batch = %s"
)
PAGE = (
    "SELECT number, checksum, data FROM wiremend.records"
    " WHERE session = %s AND number > %s AND number <= %s ORDER BY number LIMIT %s"
)
HIGHEST = "SELECT coalesce(max(number), 0) FROM wiremend.records WHERE session = %s"

NEW_SNAPSHOT = (
    "INSERT INTO wiremend.snapshots VALUES (%s, %s, %s, %s) ON CONFLICT (session, at)"
    " DO UPDATE SET checksum = excluded.checksum, data = excluded.data"
)
OLD_SNAPSHOTS = (
    "DELETE FROM wiremend.snapshots WHERE session = %s AND at NOT IN"
    " (SELECT at FROM wiremend.snapshots WHERE session = %s ORDER BY at DESC LIMIT %s)"
)
SNAPSHOTS = (
    "SELECT at, checksum, data FROM wiremend.snapshots WHERE session = %s AND at <= %s"
    " ORDER BY at DESC"
)

HAS_BLOB = "SELECT 1 FROM wiremend.blobs WHERE name = %s"
NEW_BLOB = "INSERT INTO wiremend.blobs VALUES (%s, %s) ON CONFLICT DO NOTHING"
BLOB = "SELECT data FROM wiremend.blobs WHERE name = %s"
BLOB_NAMES = "SELECT name FROM wiremend.blobs ORDER BY name"
