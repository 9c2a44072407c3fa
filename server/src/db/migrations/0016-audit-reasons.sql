-- Why a change was made, and which batch of changes it belongs to. Both are part of the hash chain.

-- The hash separates fields by line breaks, so a reason is one line.
ALTER TABLE audit_log
  ADD COLUMN reason text CHECK (reason ~ '^[^\x01-\x1f]+$' AND length(reason) <= 500),
  ADD COLUMN batch uuid;

-- One for each filter, with the newest entry first. By name, because failed sign-ins and commands on the
-- host have no actor_id.
CREATE INDEX audit_log_actor ON audit_log (actor_name, id);
CREATE INDEX audit_log_action ON audit_log (action, id);
CREATE INDEX audit_log_entity ON audit_log (entity, id);
CREATE INDEX audit_log_entity_id ON audit_log (entity_id, id);
CREATE INDEX audit_log_at ON audit_log (at);
CREATE INDEX audit_log_batch ON audit_log (batch, id) WHERE batch IS NOT NULL;

-- As before, but for the last two fields of the hash. An entry with neither is hashed as all entries
-- before this migration were, so one rule verifies both; adding or removing either changes the hash.
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
    NEW.before::text, NEW.after::text, NEW.request_id::text, NEW.network]
    || CASE WHEN NEW.reason IS NULL AND NEW.batch IS NULL THEN '{}'
            ELSE ARRAY[NEW.reason, NEW.batch::text] END, E'\n', ''), 'UTF8'));
  done := set_config('meridian.audit_entry', NEW.id::text, true);
  RETURN NEW;
END $$;

-- Listeners read from the log what changed: a lost notification is only a late one. Equal notifications
-- of a transaction are sent once.
CREATE OR REPLACE FUNCTION advance_audit_head() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  done text;
BEGIN
  UPDATE audit_head SET last_id = NEW.id, hash = NEW.hash;
  done := pg_notify('audit_log', '');
  RETURN NULL;
END $$;

-- Replacing a function drops its settings.
DO $$
DECLARE
  function_name text;
BEGIN
  FOREACH function_name IN ARRAY ARRAY['chain_audit_entry', 'advance_audit_head'] LOOP
    EXECUTE format('ALTER FUNCTION %I() SET search_path = pg_catalog, %I, pg_temp',
                   function_name, current_schema());
  END LOOP;
END $$;
