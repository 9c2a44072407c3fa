-- A session keeps the types with which it first ran a PL/pgSQL function. A granted role called why_not_schedule
-- with a temporary table named users before ours in its search path, and schedule_post then ran what that
-- table's types check, as the owner. The owner alone calls these functions now, and a temporary schema comes last in each.
DO $$
DECLARE
  f record;
BEGIN
  FOR f IN
    -- PostgreSQL writes these into the statement that calls them, per row or to plan it, and a function with a
    -- search path it does not. Their names are looked up here, once.
    SELECT p.oid::regprocedure AS name, pg_get_functiondef(p.oid) AS definition, p.proname IN (
        'access_keyword_status', 'assignment_status', 'audit_difference', 'effective_plan', 'first_claim_at', 'late_as_of',
        'new_row_id', 'posts_in', 'resume_verdict', 'ticket_status', 'user_may_publish') AS is_inlined
    FROM pg_proc p
    -- Neither what belongs to an extension nor what belongs to somebody else.
    WHERE p.pronamespace IN (current_schema()::regnamespace, 'meridian_api'::regnamespace)
      AND p.prokind = 'f' AND pg_has_role(p.proowner, 'USAGE')
      AND NOT EXISTS (SELECT FROM pg_depend d
                      WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f.name);
    IF f.is_inlined THEN
      EXECUTE regexp_replace(f.definition, 'AS \$function\$(.*)\$function\$', 'BEGIN ATOMIC \1; END');
    ELSE
      EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', f.name, current_schema());
    END IF;
  END LOOP;
END $$;
