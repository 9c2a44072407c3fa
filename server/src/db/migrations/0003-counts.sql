-- Exact numbers of posts and users without counting: triggers note every change as a small delta in
-- the same transaction; the server adds the deltas up now and then. A reader takes both together,
-- from one snapshot, and so is exact at any moment. Deltas are only ever inserted: no two writers
-- wait for each other.

-- One index per sort, now with the author: a list narrowed to some people need not look up each post.
-- And of one person's posts all that a list can be sorted or narrowed by.
DROP INDEX posts_scheduled, posts_created, posts_status, posts_status_scheduled, posts_status_created,
           posts_user_scheduled;
CREATE INDEX posts_user_scheduled ON posts (user_id, scheduled_at, id) INCLUDE (status, created_at);
CREATE INDEX posts_scheduled ON posts (scheduled_at, id) INCLUDE (user_id);
CREATE INDEX posts_created ON posts (created_at, id) INCLUDE (user_id);
CREATE INDEX posts_status ON posts (status, id) INCLUDE (user_id);
CREATE INDEX posts_status_scheduled ON posts (status, scheduled_at, id) INCLUDE (user_id);
CREATE INDEX posts_status_created ON posts (status, created_at, id) INCLUDE (user_id);

-- Buckets need a place on the time line.
ALTER TABLE posts ADD CONSTRAINT posts_times_finite CHECK (isfinite(scheduled_at) AND isfinite(created_at));
ALTER TABLE users ADD CONSTRAINT users_times_finite CHECK (isfinite(created_at));

CREATE FUNCTION hour_of(at timestamptz) RETURNS bigint IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS
$$ SELECT floor(extract(epoch FROM at) / 3600)::bigint $$;

CREATE FUNCTION start_of_hour(hour bigint) RETURNS timestamptz IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS
$$ SELECT to_timestamp(hour * 3600.0) $$;

-- The first 48 bits of an id are milliseconds; any other id still has its place in the order of ids.
CREATE FUNCTION hour_of(id uuid) RETURNS bigint IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS
$$ SELECT ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 3600000 $$;

CREATE FUNCTION first_id_of_hour(hour bigint) RETURNS uuid IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS
$$ SELECT rpad(lpad(to_hex(hour * 3600000), 12, '0'), 32, '0')::uuid $$;

-- What was added up ------------------------------------------------------------------------------

-- The numbers along one order of a list: how many rows of a status fall into each stretch of hours.
-- Stretches of four widths (an hour, a day, 32 days, 1024 days) lead to any depth in three short reads.
CREATE TABLE counts (
  axis   text NOT NULL CHECK (axis IN ('posts.scheduled', 'posts.created', 'posts.id', 'users.created')),
  width  integer NOT NULL CHECK (width IN (1, 24, 768, 24576)),
  status text NOT NULL,
  bucket bigint NOT NULL,
  n      bigint NOT NULL,
  PRIMARY KEY (axis, width, status, bucket)
) WITH (fillfactor = 80);

CREATE TABLE user_post_counts (
  user_id uuid NOT NULL,
  status  text NOT NULL,
  n       bigint NOT NULL,
  PRIMARY KEY (user_id, status) INCLUDE (n)
) WITH (fillfactor = 80);

-- The numbers behind searches for people that match so many that adding up theirs takes long, kept
-- from the first such search until nobody has asked for an hour.
CREATE TABLE search_counts (
  pattern text NOT NULL,
  status  text NOT NULL,
  n       bigint NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (pattern, status)
);

-- Handle and DID in one text, so that one index finds any part of either. The line break between
-- them stands in neither.
ALTER TABLE users ADD COLUMN search_text text NOT NULL
  GENERATED ALWAYS AS (lower(handle || E'\n' || did)) STORED;
DROP INDEX users_handle_part;
DROP INDEX users_did_part;
CREATE INDEX users_search ON users USING gin (search_text gin_trgm_ops);

-- What is still to be added ----------------------------------------------------------------------

CREATE TABLE post_deltas (
  user_id        uuid NOT NULL,
  status         text NOT NULL,
  scheduled_hour bigint NOT NULL,
  created_hour   bigint NOT NULL,
  id_hour        bigint NOT NULL,
  n              bigint NOT NULL
);

CREATE TABLE user_deltas (
  status       text NOT NULL,
  created_hour bigint NOT NULL,
  n            bigint NOT NULL
);

CREATE FUNCTION note_posts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO post_deltas
    SELECT user_id, status, hour_of(scheduled_at), hour_of(created_at), hour_of(id), count(*)
    FROM new_rows GROUP BY 1, 2, 3, 4, 5;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO post_deltas
    SELECT user_id, status, hour_of(scheduled_at), hour_of(created_at), hour_of(id), -count(*)
    FROM old_rows GROUP BY 1, 2, 3, 4, 5;
  ELSE
    INSERT INTO post_deltas
    SELECT user_id, status, hour_of(scheduled_at), hour_of(created_at), hour_of(id), sum(n)
    FROM (SELECT user_id, status, scheduled_at, created_at, id, -1 AS n FROM old_rows
          UNION ALL
          SELECT user_id, status, scheduled_at, created_at, id, 1 FROM new_rows) AS changes
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER posts_note_insert AFTER INSERT ON posts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_posts();
CREATE TRIGGER posts_note_update AFTER UPDATE ON posts
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_posts();
CREATE TRIGGER posts_note_delete AFTER DELETE ON posts
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_posts();

CREATE FUNCTION note_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO user_deltas
    SELECT status, hour_of(created_at), count(*) FROM new_rows GROUP BY 1, 2;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO user_deltas
    SELECT status, hour_of(created_at), -count(*) FROM old_rows GROUP BY 1, 2;
  ELSE
    INSERT INTO user_deltas
    SELECT status, hour_of(created_at), sum(n)
    FROM (SELECT status, created_at, -1 AS n FROM old_rows
          UNION ALL
          SELECT status, created_at, 1 FROM new_rows) AS changes
    GROUP BY 1, 2 HAVING sum(n) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_note_insert AFTER INSERT ON users
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_users();
CREATE TRIGGER users_note_update AFTER UPDATE ON users
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_users();
CREATE TRIGGER users_note_delete AFTER DELETE ON users
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_users();

-- Emptying a table at once passes no rows to a trigger; what remains to count is nothing.
CREATE FUNCTION forget_posts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE post_deltas, user_post_counts, search_counts;
  DELETE FROM counts WHERE axis LIKE 'posts.%';
  RETURN NULL;
END $$;
CREATE TRIGGER posts_forget AFTER TRUNCATE ON posts FOR EACH STATEMENT EXECUTE FUNCTION forget_posts();

CREATE FUNCTION forget_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE user_deltas;
  DELETE FROM counts WHERE axis LIKE 'users.%';
  RETURN NULL;
END $$;
CREATE TRIGGER users_forget AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION forget_users();

-- Adding up ---------------------------------------------------------------------------------------

-- Both shapes of delta as steps along the axes.
CREATE VIEW pending_counts AS
  SELECT axis, status, hour, n FROM post_deltas,
    LATERAL (VALUES ('posts.scheduled', scheduled_hour), ('posts.created', created_hour), ('posts.id', id_hour))
      AS along (axis, hour)
  UNION ALL
  SELECT 'users.created', status, created_hour, n FROM user_deltas;

-- Moves deltas into the sums, at most so many of each kind, and says how many there were. One at a
-- time: the caller that finds another at it leaves the work to that one.
CREATE FUNCTION fold_counts(most integer DEFAULT 10000) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  folded bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7261545) THEN
    RETURN 0;
  END IF;
  WITH posts_taken AS (
    DELETE FROM post_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM post_deltas LIMIT most)) RETURNING *
  ),
  users_taken AS (
    DELETE FROM user_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM user_deltas LIMIT most)) RETURNING *
  ),
  steps AS (
    SELECT axis, status, hour, n FROM posts_taken,
      LATERAL (VALUES ('posts.scheduled', scheduled_hour), ('posts.created', created_hour), ('posts.id', id_hour))
        AS along (axis, hour)
    UNION ALL
    SELECT 'users.created', status, created_hour, n FROM users_taken
  ),
  by_stretch AS (
    INSERT INTO counts AS c (axis, width, status, bucket, n)
    SELECT axis, width, status, floor(hour / width::numeric)::bigint, sum(n)
    FROM steps CROSS JOIN (VALUES (1), (24), (768), (24576)) AS widths (width)
    GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0
    ON CONFLICT (axis, width, status, bucket) DO UPDATE SET n = c.n + excluded.n
  ),
  by_user AS (
    INSERT INTO user_post_counts AS c (user_id, status, n)
    SELECT user_id, status, sum(n) FROM posts_taken GROUP BY 1, 2 HAVING sum(n) <> 0
    ON CONFLICT (user_id, status) DO UPDATE SET n = c.n + excluded.n
  ),
  by_search AS (
    UPDATE search_counts AS c SET n = c.n + taken.n
    FROM (SELECT s.pattern, t.status, sum(t.n) AS n
          FROM posts_taken t JOIN users u ON u.id = t.user_id
          JOIN (SELECT DISTINCT pattern FROM search_counts) AS s ON u.search_text LIKE s.pattern
          GROUP BY 1, 2) AS taken
    WHERE c.pattern = taken.pattern AND c.status = taken.status
  )
  SELECT (SELECT count(*) FROM posts_taken) + (SELECT count(*) FROM users_taken) INTO folded;
  RETURN folded;
END $$;

-- Posts of the people who match a pattern, by status, and how many people. What took long is kept, if nobody is adding up
-- just now; so the same search costs little the next time, and is as exact.
CREATE FUNCTION count_posts_of_matching(wanted text)
RETURNS TABLE (status text, n bigint, people bigint) LANGUAGE plpgsql
-- Planned once per connection: planning anew would take longer than looking.
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- No more than this are counted: from here on there are many.
  many CONSTANT bigint := 1000;
  matching bigint;
BEGIN
  RETURN QUERY
    SELECT kept.status, (kept.n + coalesce(sum(d.n), 0))::bigint, many
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
  matching := (SELECT count(*) FROM (SELECT FROM users WHERE search_text LIKE wanted LIMIT many) AS found);
  IF matching = many AND pg_try_advisory_xact_lock(7261545) THEN
    INSERT INTO search_counts (pattern, status, n)
      SELECT wanted, statuses.status, coalesce(sums.n, 0)
      FROM unnest(ARRAY['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED']) AS statuses (status)
      LEFT JOIN (SELECT c.status, sum(c.n) AS n
                 FROM user_post_counts c JOIN users u ON u.id = c.user_id
                 WHERE u.search_text LIKE wanted GROUP BY 1) AS sums USING (status)
      ON CONFLICT DO NOTHING;
    DELETE FROM search_counts WHERE used_at < now() - interval '1 hour';
  END IF;
  RETURN QUERY
    SELECT parts.status, sum(parts.n)::bigint, matching
    FROM (SELECT c.status, c.n FROM user_post_counts c JOIN users u ON u.id = c.user_id
          WHERE u.search_text LIKE wanted
          UNION ALL
          SELECT d.status, d.n FROM post_deltas d JOIN users u ON u.id = d.user_id
          WHERE u.search_text LIKE wanted) AS parts
    GROUP BY 1;
END $$;

-- A person who matches no longer, or now, or is gone, makes the kept numbers wrong: they are
-- counted anew when next asked for. The lock keeps anybody from keeping numbers of before.
CREATE FUNCTION forget_searches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NOT EXISTS (SELECT FROM old_rows o JOIN new_rows n USING (id) WHERE o.search_text <> n.search_text) THEN
      RETURN NULL;
    END IF;
  END IF;
  PERFORM pg_advisory_xact_lock(7261545);
  DELETE FROM search_counts;
  RETURN NULL;
END $$;
CREATE TRIGGER users_forget_searches_update AFTER UPDATE ON users
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION forget_searches();
CREATE TRIGGER users_forget_searches_delete AFTER DELETE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION forget_searches();

-- Finding a place ---------------------------------------------------------------------------------

-- The hour in which the row after the first `skip` rows of an order stands, and how many rows of that
-- hour come before it. No row when there are not that many.
CREATE FUNCTION find_hour(
  wanted_axis text, statuses text[], is_descending boolean, skip bigint,
  OUT hour bigint, OUT remaining bigint
) RETURNS SETOF record STABLE LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  direction integer := CASE WHEN is_descending THEN -1 ELSE 1 END;
  -- The first and the last bucket to look at; at the widest, all there are.
  lowest bigint := -9000000000;
  highest bigint := 9000000000;
  stretch integer;
  found_bucket bigint;
  found_before bigint;
BEGIN
  remaining := skip;
  FOREACH stretch IN ARRAY ARRAY[768, 24, 1] LOOP
    SELECT placed.bucket, placed.before INTO found_bucket, found_before
    FROM (
      SELECT summed.bucket, summed.n,
             (sum(summed.n) OVER (ORDER BY summed.bucket * direction) - summed.n)::bigint AS before
      FROM (
        SELECT near.bucket, sum(near.n)::bigint AS n
        FROM (
          SELECT c.bucket, c.n FROM counts c
          WHERE c.axis = wanted_axis AND c.width = stretch AND c.status = ANY (statuses)
            AND c.bucket BETWEEN lowest AND highest
          UNION ALL
          SELECT floor(p.hour / stretch::numeric)::bigint, p.n FROM pending_counts p
          WHERE p.axis = wanted_axis AND p.status = ANY (statuses)
            AND floor(p.hour / stretch::numeric) BETWEEN lowest AND highest
        ) AS near
        GROUP BY near.bucket
      ) AS summed
    ) AS placed
    WHERE placed.before <= remaining AND placed.before + placed.n > remaining
    LIMIT 1;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    remaining := remaining - found_before;
    hour := found_bucket;
    -- Next, the narrower stretches inside the one found.
    lowest := found_bucket * CASE stretch WHEN 24 THEN 24 ELSE 32 END;
    highest := lowest + CASE stretch WHEN 24 THEN 23 ELSE 31 END;
  END LOOP;
  RETURN NEXT;
END $$;

-- Proof and repair --------------------------------------------------------------------------------

CREATE VIEW true_hours AS
  SELECT 'posts.scheduled' AS axis, status, hour_of(scheduled_at) AS hour, count(*) AS n
    FROM posts GROUP BY status, hour_of(scheduled_at)
  UNION ALL
  SELECT 'posts.created', status, hour_of(created_at), count(*)
    FROM posts GROUP BY status, hour_of(created_at)
  UNION ALL
  SELECT 'posts.id', status, hour_of(id), count(*)
    FROM posts GROUP BY status, hour_of(id)
  UNION ALL
  SELECT 'users.created', status, hour_of(created_at), count(*)
    FROM users GROUP BY status, hour_of(created_at);

CREATE VIEW true_counts AS
  SELECT axis, width, status, floor(hour / width::numeric)::bigint AS bucket, sum(n)::bigint AS n
  FROM true_hours CROSS JOIN (VALUES (1), (24), (768), (24576)) AS widths (width)
  GROUP BY 1, 2, 3, 4;

-- Empty when every number kept is the number there is.
CREATE VIEW count_differences AS
  WITH kept AS (
    SELECT axis, width, status, bucket, sum(n) AS n
    FROM (
      SELECT axis, width, status, bucket, n FROM counts
      UNION ALL
      SELECT axis, width, status, floor(hour / width::numeric)::bigint, n
      FROM pending_counts CROSS JOIN (VALUES (1), (24), (768), (24576)) AS widths (width)
    ) AS parts
    GROUP BY 1, 2, 3, 4
  ),
  kept_of_users AS (
    SELECT user_id, status, sum(n) AS n
    FROM (SELECT user_id, status, n FROM user_post_counts
          UNION ALL
          SELECT user_id, status, n FROM post_deltas) AS parts
    GROUP BY 1, 2
  ),
  true_of_users AS (SELECT user_id, status, count(*) AS n FROM posts GROUP BY 1, 2)
  SELECT axis || ' per ' || width || ' h' AS what, status, bucket::text AS place,
         coalesce(kept.n, 0) AS kept, coalesce(true_counts.n, 0) AS counted
    FROM kept FULL JOIN true_counts USING (axis, width, status, bucket)
    WHERE coalesce(kept.n, 0) <> coalesce(true_counts.n, 0)
  UNION ALL
  SELECT 'posts of a user', status, user_id::text, coalesce(kept_of_users.n, 0), coalesce(true_of_users.n, 0)
    FROM kept_of_users FULL JOIN true_of_users USING (user_id, status)
    WHERE coalesce(kept_of_users.n, 0) <> coalesce(true_of_users.n, 0);

-- Counts everything anew. Writers wait meanwhile; readers see the old numbers until it is done.
CREATE FUNCTION recount() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7261545);
  LOCK TABLE users, posts IN SHARE MODE;
  DELETE FROM post_deltas;
  DELETE FROM user_deltas;
  DELETE FROM counts;
  DELETE FROM user_post_counts;
  DELETE FROM search_counts;
  -- In the order in which they are read: neighbours then share a page.
  INSERT INTO counts (axis, width, status, bucket, n)
    SELECT axis, width, status, bucket, n FROM true_counts ORDER BY 1, 2, 3, 4;
  INSERT INTO user_post_counts (user_id, status, n)
    SELECT user_id, status, count(*) FROM posts GROUP BY 1, 2 ORDER BY 1, 2;
END $$;

SELECT recount();
