-- Who changed what, when and from where. Entries are only ever added, and each carries the hash of
-- the one before it, so that nobody can change, drop or reorder one without it showing.

-- The end of the chain: what the next entry follows.
CREATE TABLE audit_head (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  last_id bigint NOT NULL,
  hash    bytea NOT NULL CHECK (length(hash) = 32)
-- Room on its one page for the versions of the row that one after another leave behind.
) WITH (fillfactor = 10);
INSERT INTO audit_head (last_id, hash) VALUES (0, decode(repeat('00', 32), 'hex'));

-- A line break separates the fields of an entry when it is hashed, so none may hold one. Of jsonb
-- the text has none.
CREATE DOMAIN audit_word AS text CHECK (VALUE ~ '^[^\x01-\x1f]+$' AND length(VALUE) <= 200);

-- No foreign keys: an entry outlives what it is about. Id, time and hashes are the database's own,
-- whatever the writer says.
CREATE TABLE audit_log (
  id            bigint PRIMARY KEY,
  at            timestamptz NOT NULL,
  -- Null when nobody is signed in: the host itself, or whoever fails to.
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
  hash          bytea NOT NULL
);

-- The fields of two states that differ; no row when none does. A state that is not is null.
CREATE FUNCTION audit_difference(old_state jsonb, new_state jsonb)
RETURNS TABLE (before jsonb, after jsonb) IMMUTABLE LANGUAGE sql AS $$
  SELECT jsonb_object_agg(key, old_state -> key) FILTER (WHERE old_state ? key),
         jsonb_object_agg(key, new_state -> key) FILTER (WHERE new_state ? key)
  FROM jsonb_object_keys(coalesce(old_state, '{}') || coalesce(new_state, '{}')) AS key
  WHERE old_state -> key IS DISTINCT FROM new_state -> key
  HAVING count(*) > 0
$$;

-- Takes the next place in the chain. The head stays locked from here to the end of the transaction,
-- and every other change waits for it: an entry is therefore written by the very statement that
-- makes the change, or by the last one of its transaction. Being last also rules out a deadlock,
-- since whoever holds the head asks for nothing more.
CREATE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head audit_head;
BEGIN
  -- Who waits for a lock of this kind is served in turn; for that of a row the latest comer often is
  -- first, and some wait twice as long.
  PERFORM pg_advisory_xact_lock(7261546);
  SELECT * INTO STRICT head FROM audit_head FOR UPDATE;
  NEW.id := head.last_id + 1;
  -- Not now(), which is when the transaction began: times then follow the order of the chain.
  NEW.at := clock_timestamp();
  NEW.previous_hash := head.hash;
  NEW.hash := sha256(head.hash || convert_to(array_to_string(ARRAY[
    NEW.id::text, to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    NEW.actor_id::text, NEW.actor_name, NEW.action, NEW.entity, NEW.entity_id,
    NEW.before::text, NEW.after::text, NEW.request_id::text, NEW.network], E'\n', ''), 'UTF8'));
  UPDATE audit_head SET last_id = NEW.id, hash = NEW.hash;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_log_chain BEFORE INSERT ON audit_log FOR EACH ROW
  EXECUTE FUNCTION chain_audit_entry();

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the record is only ever added to'
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME;
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_head_stays BEFORE DELETE OR TRUNCATE ON audit_head
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
-- Also in a session that replays another database's changes, where triggers usually rest.
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_append_only;
ALTER TABLE audit_head ENABLE ALWAYS TRIGGER audit_head_stays;

-- How often in a row an attempt was refused: the first is an event, the rest would only fill the record.
ALTER TABLE attempt_buckets ADD COLUMN refusals integer NOT NULL DEFAULT 0;
