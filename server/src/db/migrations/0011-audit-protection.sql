-- The end of the audit log's chain moves only with an entry, and failed sign-ins with invented names
-- are counted beside the chain instead of filling it.

-- The end of the chain ------------------------------------------------------------------------------

-- As before, but the head moves after the entry is there (advance_audit_head), not with its number.
-- In a statement of several rows it is therefore behind; a setting of the transaction names the entry
-- before. It need not be trusted: an entry that does not continue the head is refused below.
CREATE OR REPLACE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE FUNCTION advance_audit_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE audit_head SET last_id = NEW.id, hash = NEW.hash;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_log_head AFTER INSERT ON audit_log FOR EACH ROW
  EXECUTE FUNCTION advance_audit_head();

-- Asks the log itself and not who updates: a session can forge a setting or a trigger's depth, but an
-- entry comes into the log only through the chain.
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

-- Also in a session that replays another database's changes, where triggers usually rest.
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_chain;
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_head;
ALTER TABLE audit_head ENABLE ALWAYS TRIGGER audit_head_follows;

-- Failed sign-ins -----------------------------------------------------------------------------------

-- How often sign-ins failed, by network and day. Never the name that was typed, which is sometimes a
-- password. Housekeeping bounds its rows.
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
