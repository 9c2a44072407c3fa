-- Without this a post whose journal holds another shape than a list, or a NUL or half of a surrogate pair in
-- a text, which json takes and these functions do not, could never be deleted.
CREATE OR REPLACE FUNCTION without_records(writes json) RETURNS json LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (SELECT coalesce(json_agg(json_build_object('rkey', w -> 'rkey', 'cid', w -> 'cid')), '[]')
          FROM json_array_elements(writes) AS w);
EXCEPTION WHEN data_exception THEN
  RETURN '[]';
END $$;
-- Replaced, it would lose what 0039 set.
DO $$ BEGIN
  EXECUTE format('ALTER FUNCTION without_records(json) SET search_path = %I, pg_temp', current_schema());
END $$;

-- Attempts that failed while their post was deleted were written down after it.
DELETE FROM delivery_attempts a WHERE NOT EXISTS (SELECT FROM posts p WHERE p.id = a.post_id);
