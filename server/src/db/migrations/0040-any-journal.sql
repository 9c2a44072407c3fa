-- Without this a post could never be deleted whose journal holds another shape than a list, nests deeper than
-- these functions can follow, or has a NUL or half of a surrogate pair in a text, which json takes and they do
-- not. Of each record its key and its CID stay, where they are texts, and no more than a post has parts.
CREATE OR REPLACE FUNCTION without_records(writes json) RETURNS json LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (SELECT coalesce(json_agg(json_build_object(
            'rkey', CASE json_typeof(w -> 'rkey') WHEN 'string' THEN left(w ->> 'rkey', 512) END,
            'cid', CASE json_typeof(w -> 'cid') WHEN 'string' THEN left(w ->> 'cid', 100) END)), '[]')
          FROM (SELECT w FROM json_array_elements(writes) AS e (w) LIMIT 25) AS first);
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  RETURN '[]';
END $$;
-- Replaced, it would lose what 0039 set.
DO $$ BEGIN
  EXECUTE format('ALTER FUNCTION without_records(json) SET search_path = %I, pg_temp', current_schema());
END $$;

-- Attempts that failed while their post was deleted were written down after it.
DELETE FROM delivery_attempts a WHERE NOT EXISTS (SELECT FROM posts p WHERE p.id = a.post_id);
