-- The hash chain of the audit log.

-- The fields in which two states differ; no row when none does. The state of a missing row is null.
CREATE OR REPLACE FUNCTION audit_difference(old_state jsonb, new_state jsonb)
RETURNS TABLE (before jsonb, after jsonb) LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
  SELECT jsonb_object_agg(key, old_state -> key) FILTER (WHERE old_state ? key),
         jsonb_object_agg(key, new_state -> key) FILTER (WHERE new_state ? key)
  FROM jsonb_object_keys(coalesce(old_state, '{}') || coalesce(new_state, '{}')) AS key
  WHERE old_state -> key IS DISTINCT FROM new_state -> key
  HAVING count(*) > 0;
END;

-- Gives an entry its number and links it to the entry before. The advisory lock and the head stay locked
-- to the end of the transaction, and every other change waits for them: an entry is therefore written by
-- the very statement that makes the change, or by the last one of its transaction. That also rules out a
-- deadlock, since a transaction that holds the head asks for no other lock.
--
-- The head moves after the entry is inserted (advance_audit_head), so in a statement of several rows it
-- is behind; a setting of the transaction names the entry before. It need not be trusted: an entry that
-- does not continue the head is refused below.
CREATE OR REPLACE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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
  -- Without a reason and a batch, as all entries once were, both are left out.
  NEW.hash := sha256(head.hash || convert_to(array_to_string(ARRAY[
    NEW.id::text, to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    NEW.actor_id::text, NEW.actor_name, NEW.action, NEW.entity, NEW.entity_id,
    NEW.before::text, NEW.after::text, NEW.request_id::text, NEW.network]
    || CASE WHEN NEW.reason IS NULL AND NEW.batch IS NULL THEN '{}'
            ELSE ARRAY[NEW.reason, NEW.batch::text] END, E'\n', ''), 'UTF8'));
  done := set_config('meridian.audit_entry', NEW.id::text, true);
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER audit_log_chain BEFORE INSERT ON audit_log FOR EACH ROW
  EXECUTE FUNCTION chain_audit_entry();

-- Listeners read from the log what changed: a lost notification is only a late one. Equal notifications
-- of a transaction are sent once.
CREATE OR REPLACE FUNCTION advance_audit_head() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  done text;
BEGIN
  UPDATE audit_head SET last_id = NEW.id, hash = NEW.hash;
  done := pg_notify('audit_log', '');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER audit_log_head AFTER INSERT ON audit_log FOR EACH ROW
  EXECUTE FUNCTION advance_audit_head();

-- Compares with the log itself and not with the session: a session can forge a setting or a trigger's
-- depth, but an entry gets into the log only through the chain.
CREATE OR REPLACE FUNCTION refuse_audit_head_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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
CREATE OR REPLACE TRIGGER audit_head_follows BEFORE UPDATE ON audit_head FOR EACH ROW
  EXECUTE FUNCTION refuse_audit_head_change();

CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RAISE EXCEPTION 'entries of the audit log cannot be changed or removed'
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME;
END $$;
CREATE OR REPLACE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE OR REPLACE TRIGGER audit_head_stays BEFORE INSERT OR DELETE OR TRUNCATE ON audit_head
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Also in a session that replays another database's changes, where triggers usually do not fire.
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_chain;
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_head;
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_append_only;
ALTER TABLE audit_head ENABLE ALWAYS TRIGGER audit_head_follows;
ALTER TABLE audit_head ENABLE ALWAYS TRIGGER audit_head_stays;
