-- The audit log: who changed what, when and from where. Append-only, and each entry carries the hash of
-- the one before it, so that a changed, dropped or reordered entry is detected.

-- The end of the chain: what the next entry follows.
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
  hash          bytea NOT NULL
);

-- The fields in which two states differ; no row when none does. The state of a missing row is null.
CREATE FUNCTION audit_difference(old_state jsonb, new_state jsonb)
RETURNS TABLE (before jsonb, after jsonb) IMMUTABLE LANGUAGE sql AS $$
  SELECT jsonb_object_agg(key, old_state -> key) FILTER (WHERE old_state ? key),
         jsonb_object_agg(key, new_state -> key) FILTER (WHERE new_state ? key)
  FROM jsonb_object_keys(coalesce(old_state, '{}') || coalesce(new_state, '{}')) AS key
  WHERE old_state -> key IS DISTINCT FROM new_state -> key
  HAVING count(*) > 0
$$;

-- Gives an entry its number and links it to the entry before. The advisory lock and the head stay locked
-- to the end of the transaction, and every other change waits for them: an entry is therefore written by
-- the very statement that makes the change, or by the last one of its transaction. That also rules out a
-- deadlock, since a transaction that holds the head asks for no other lock.
--
-- The head moves after the entry is inserted (advance_audit_head), so in a statement of several rows it
-- is behind; a setting of the transaction names the entry before. It need not be trusted: an entry that
-- does not continue the head is refused below.
CREATE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  head audit_head;
  earlier bigint;
  -- Assigned and never read: that costs a tenth of what PERFORM does.
  done text;
BEGIN
  -- Waiting transactions get a lock of this kind in the order in which they asked for it; that of a
  -- row often goes to the latest, and some wait twice as long.
  done := pg_advisory_xact_lock(7261546);
  SELECT * INTO STRICT head FROM audit_head FOR UPDATE;
  earlier := nullif(current_setting('meridian.audit_entry', true), '');
  IF earlier > head.last_id THEN
    SELECT id, hash INTO STRICT head.last_id, head.hash FROM audit_log WHERE id = earlier;
  END IF;
  NEW.id := head.last_id + 1;
  -- Not now(), which is when the transaction began: times then follow the order of the chain.
  NEW.at := clock_timestamp();
  NEW.previous_hash := head.hash;
  NEW.hash := sha256(head.hash || convert_to(array_to_string(ARRAY[
    NEW.id::text, to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    NEW.actor_id::text, NEW.actor_name, NEW.action, NEW.entity, NEW.entity_id,
    NEW.before::text, NEW.after::text, NEW.request_id::text, NEW.network], E'\n', ''), 'UTF8'));
  done := set_config('meridian.audit_entry', NEW.id::text, true);
  RETURN NEW;
END $$;

CREATE TRIGGER audit_log_chain BEFORE INSERT ON audit_log FOR EACH ROW
  EXECUTE FUNCTION chain_audit_entry();

CREATE FUNCTION advance_audit_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE audit_head SET last_id = NEW.id, hash = NEW.hash;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_log_head AFTER INSERT ON audit_log FOR EACH ROW
  EXECUTE FUNCTION advance_audit_head();

-- Compares with the log itself and not with the session: a session can forge a setting or a trigger's
-- depth, but an entry gets into the log only through the chain.
CREATE FUNCTION refuse_audit_head_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.last_id = OLD.last_id + 1 THEN
    PERFORM FROM audit_log
      WHERE id = NEW.last_id AND previous_hash = OLD.hash AND hash = NEW.hash;
    IF FOUND THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the end of the audit log moves only with an entry'
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME;
END $$;
CREATE TRIGGER audit_head_follows BEFORE UPDATE ON audit_head FOR EACH ROW
  EXECUTE FUNCTION refuse_audit_head_change();

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'entries of the audit log cannot be changed or removed'
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME;
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_head_stays BEFORE DELETE OR TRUNCATE ON audit_head
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
-- Statement triggers do not fire when a statement names a parent of the table; these do.
CREATE TRIGGER audit_log_rows_stay BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_head_rows_stay BEFORE INSERT OR DELETE ON audit_head
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

-- Also in a session that replays another database's changes, where triggers usually do not fire.
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_chain;
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_head;
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_append_only;
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_rows_stay;
ALTER TABLE audit_head ENABLE ALWAYS TRIGGER audit_head_follows;
ALTER TABLE audit_head ENABLE ALWAYS TRIGGER audit_head_stays;
ALTER TABLE audit_head ENABLE ALWAYS TRIGGER audit_head_rows_stay;

-- Names mean the tables of this schema, whatever the session's search path: a temporary table would be
-- found first unless pg_temp is named last.
DO $$
DECLARE
  function_name text;
BEGIN
  FOREACH function_name IN ARRAY ARRAY['chain_audit_entry', 'advance_audit_head',
                                       'refuse_audit_head_change', 'refuse_audit_change'] LOOP
    EXECUTE format('ALTER FUNCTION %I() SET search_path = pg_catalog, %I, pg_temp',
                   function_name, current_schema());
  END LOOP;
END $$;

-- Failed sign-ins -----------------------------------------------------------------------------------

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
