-- The audit log: who changed what, when, from where and why. Append-only, and each entry carries the hash of
-- the one before it, so that a changed, dropped or reordered entry is detected. functions/audit-log.sql has the chain.

-- The end of the chain: the next entry follows it.
CREATE TABLE audit_head (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  last_id bigint NOT NULL,
  hash    bytea NOT NULL CHECK (length(hash) = 32)
-- Room on its one page for the dead versions that updates leave behind.
) WITH (fillfactor = 10);
INSERT INTO audit_head (last_id, hash) VALUES (0, decode(repeat('00', 32), 'hex'));

-- A line break separates the fields of an entry when it is hashed, so none may hold one. The text of
-- jsonb has none.
CREATE DOMAIN audit_word AS text CHECK (VALUE ~ '^[^\x01-\x1f]+$' AND length(VALUE) <= 200);

-- No foreign keys: an entry outlives what it is about. Id, time and hashes are the database's own,
-- whatever the writer says.
CREATE TABLE audit_log (
  id            bigint PRIMARY KEY,
  at            timestamptz NOT NULL,
  -- Null when there is no session: a command on the host, or a failed sign-in.
  actor_id      uuid,
  actor_name    audit_word NOT NULL,
  action        audit_word NOT NULL,
  entity        audit_word NOT NULL,
  entity_id     audit_word,
  -- Only the fields that differ. Never a password, a token or the whole of a ticket's code.
  before        jsonb CHECK (jsonb_typeof(before) = 'object'),
  after         jsonb CHECK (jsonb_typeof(after) = 'object'),
  request_id    uuid,
  network       audit_word,
  previous_hash bytea NOT NULL,
  hash          bytea NOT NULL,
  reason        text CHECK (reason ~ '^[^\x01-\x1f]+$' AND length(reason) <= 500),
  -- The bulk change that it belongs to.
  batch         uuid
);
-- One for each filter, with the newest entry first. By name, because failed sign-ins and commands on the
-- host have no actor_id.
CREATE INDEX audit_log_actor ON audit_log (actor_name, id);
CREATE INDEX audit_log_action ON audit_log (action, id);
CREATE INDEX audit_log_entity ON audit_log (entity, id);
CREATE INDEX audit_log_entity_id ON audit_log (entity_id, id);
CREATE INDEX audit_log_at ON audit_log (at);
CREATE INDEX audit_log_batch ON audit_log (batch, id) WHERE batch IS NOT NULL;
CREATE INDEX audit_log_settings ON audit_log (at) WHERE entity = 'settings';

-- How often sign-ins failed, by network and day: failures with unknown names would fill the chain.
-- Never the name that was typed, which is sometimes a password. A background task bounds its rows.
CREATE TABLE sign_in_failures (
  day           date NOT NULL,
  network       audit_word NOT NULL,
  failures      integer NOT NULL DEFAULT 0,
  -- Those of them whose name no administrator has.
  unknown_names integer NOT NULL DEFAULT 0,
  -- How often the rate limit began to refuse; not how many attempts it refused.
  throttled     integer NOT NULL DEFAULT 0,
  first_at      timestamptz NOT NULL,
  last_at       timestamptz NOT NULL,
  PRIMARY KEY (day, network)
);
CREATE INDEX sign_in_failures_last_at ON sign_in_failures (last_at);

-- How many entries about failed sign-ins an administrator has brought about in this hour: past a
-- limit they are only counted above.
CREATE TABLE admin_failure_entries (
  admin_id uuid PRIMARY KEY REFERENCES admins ON DELETE CASCADE,
  hour     timestamptz NOT NULL,
  entries  integer NOT NULL
);
