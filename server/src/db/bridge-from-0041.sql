-- Brings a database that the last version before 0.2.0 left (migration 41) to the schema of the migrations from
-- 101 on. Functions, triggers and views go: their files make them anew, in the same transaction.
DO $$
DECLARE
  part record;
BEGIN
  FOR part IN SELECT tgname, tgrelid::regclass AS on_table FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
              WHERE c.relnamespace = current_schema()::regnamespace AND NOT tgisinternal ORDER BY 2, 1 LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', part.tgname, part.on_table);
  END LOOP;
END $$;
DROP VIEW current_tickets, current_assignments, counter_differences, pending_counters;

ALTER TABLE plans
  DROP CONSTRAINT plans_display_name_check,
  DROP CONSTRAINT plans_description_check,
  DROP CONSTRAINT plans_features_check,
  DROP CONSTRAINT plans_limits_check;
ALTER TABLE plans
  ADD CONSTRAINT plans_display_name_check CHECK (jsonb_typeof(display_name) = 'object' AND display_name ->> 'en' <> ''),
  ADD CONSTRAINT plans_description_check CHECK (jsonb_typeof(description) = 'object' AND description ->> 'en' <> ''),
  ADD CONSTRAINT plans_features_check CHECK (jsonb_typeof(features) = 'object'),
  ADD CONSTRAINT plans_limits_check CHECK (jsonb_typeof(limits) = 'object');
ALTER TABLE tickets DROP CONSTRAINT tickets_limits_override_check;
ALTER TABLE tickets ADD CONSTRAINT tickets_limits_override_check
  CHECK (jsonb_typeof(limits_override) = 'object' AND limits_override <> '{}');

DROP SCHEMA meridian_api CASCADE;
DO $$
BEGIN
  EXECUTE 'DROP FUNCTION ' || (
    SELECT string_agg(p.oid::regprocedure::text, ', ') FROM pg_proc p
    WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f'
      AND NOT EXISTS (SELECT FROM pg_depend d
                      WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'));
END $$;

CREATE TABLE schema_functions (
  name text PRIMARY KEY,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);
