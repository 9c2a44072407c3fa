-- What the triggers of the audit log left open.

-- Those that refuse a statement do not fire when it names a parent of the table.
CREATE TRIGGER audit_log_rows_stay BEFORE UPDATE OR DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_head_rows_stay BEFORE INSERT OR DELETE ON audit_head
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
-- Also in a session that replays another database's changes, where triggers usually rest.
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_rows_stay;
ALTER TABLE audit_head ENABLE ALWAYS TRIGGER audit_head_rows_stay;

-- Names mean the tables of this schema, whatever a session puts before it: a temporary table is found
-- first unless pg_temp is named last.
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
