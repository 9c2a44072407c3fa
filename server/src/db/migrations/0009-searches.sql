-- A search for people finds them once, and asks for their posts by id from then on.

-- Posts of the people who match a pattern, of some statuses, and who they are; no ids when there are
-- so many that nobody wants them one by one. `part` is a piece of the pattern, asked of the index in
-- its stead: most of what stands in a whole handle stands in every other too, and looking all of it
-- up takes longer than looking at the few who have the rest.
CREATE FUNCTION search_people(
  wanted text, part text, statuses text[],
  OUT total bigint, OUT people integer, OUT ids uuid[]
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  many CONSTANT integer := 1000;
BEGIN
  PERFORM FROM search_counts WHERE pattern = wanted LIMIT 1;
  IF NOT FOUND THEN
    ids := ARRAY(SELECT id FROM users
                 WHERE search_text LIKE part AND (search_text LIKE wanted) IS TRUE LIMIT many);
    people := cardinality(ids);
    IF people < many THEN
      SELECT coalesce(sum(parts.n), 0) INTO total
      FROM (SELECT c.n FROM unnest(ids) AS one (id),
              LATERAL (SELECT status, n FROM user_post_counts WHERE user_id = one.id OFFSET 0) AS c
            WHERE c.status = ANY (statuses)
            UNION ALL
            SELECT n FROM post_deltas
            WHERE user_id IN (SELECT unnest(ids)) AND status = ANY (statuses)) AS parts;
      RETURN;
    END IF;
  END IF;
  ids := NULL;
  people := many;
  SELECT coalesce(sum(kept.n), 0) INTO total FROM count_posts_of_many(wanted) AS kept
  WHERE kept.status = ANY (statuses);
END $$;

-- The same for a pattern known to match many, by status. The sums are kept, if nobody is adding up
-- just now; so the same search costs little the next time, and is as exact. As a CASE
-- the planner expects half of all people, not the few that a pattern it does not know might find.
CREATE FUNCTION count_posts_of_many(wanted text)
RETURNS TABLE (status text, n bigint) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  FOR attempt IN 1..2 LOOP
    RETURN QUERY
      SELECT kept.status, (kept.n + coalesce(sum(d.n), 0))::bigint
      FROM search_counts kept
      LEFT JOIN (post_deltas d JOIN users u ON u.id = d.user_id AND u.search_text LIKE wanted)
        ON d.status = kept.status
      WHERE kept.pattern = wanted
      GROUP BY kept.status, kept.n;
    IF FOUND THEN
      UPDATE search_counts SET used_at = now()
      WHERE pattern = wanted AND used_at < now() - interval '10 minutes';
      RETURN;
    END IF;
    EXIT WHEN NOT pg_try_advisory_xact_lock(7261545);
    INSERT INTO search_counts (pattern, status, n)
      SELECT wanted, statuses.status, coalesce(sums.n, 0)
      FROM unnest(ARRAY['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED']) AS statuses (status)
      LEFT JOIN (SELECT c.status, sum(c.n) AS n
                 FROM user_post_counts c JOIN users u ON u.id = c.user_id
                 WHERE CASE WHEN u.search_text LIKE wanted THEN true END GROUP BY 1) AS sums USING (status)
      ON CONFLICT DO NOTHING;
    DELETE FROM search_counts WHERE used_at < now() - interval '1 hour';
  END LOOP;
  RETURN QUERY
    SELECT parts.status, sum(parts.n)::bigint
    FROM (SELECT c.status, c.n FROM user_post_counts c JOIN users u ON u.id = c.user_id
          WHERE CASE WHEN u.search_text LIKE wanted THEN true END
          UNION ALL
          SELECT d.status, d.n FROM post_deltas d JOIN users u ON u.id = d.user_id
          WHERE u.search_text LIKE wanted) AS parts
    GROUP BY 1;
END $$;
COMMENT ON FUNCTION count_posts_of_matching(text) IS
  'Asked by the version before this one only; goes with a later migration.';
