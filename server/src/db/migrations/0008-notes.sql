-- The kept numbers for less: a change of status leaves one plain note, written by a trigger that fires
-- only when a number changes; the hours are worked out when notes are added up or read. A place in a
-- list of all statuses is found from numbers of all together.

-- PostgreSQL pastes a function like these into the query that calls it, unless it promises more than
-- what it calls: the epoch of a time might depend on the time zone for all it knows, that of an
-- interval does not. Left as a call, it was prepared anew for every change.
CREATE OR REPLACE FUNCTION hour_of(at timestamptz) RETURNS bigint
IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS
-- From 2000, where the database's own time begins: an interval from any earlier one could overflow.
$$ SELECT floor(extract(epoch FROM at - timestamptz '2000-01-01 00:00:00+00') / 3600)::bigint + 262968 $$;

CREATE OR REPLACE FUNCTION hour_of(id uuid) RETURNS bigint
IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS
$$ SELECT ('x' || encode(substring(uuid_send(id) FOR 6), 'hex'))::bit(48)::bigint / 3600000 $$;

-- Nothing may be left of the old notes. Whoever adds up holds the first lock and then reads; whoever
-- adds a post holds posts and then asks for its user. At once as strong as what follows needs.
SELECT pg_advisory_xact_lock(7261545);
LOCK TABLE posts, users IN ACCESS EXCLUSIVE MODE;
SELECT fold_counts(2147483647);

DROP TRIGGER posts_note_insert ON posts;
DROP TRIGGER posts_note_update ON posts;
DROP TRIGGER posts_note_delete ON posts;
DROP TRIGGER users_note_insert ON users;
DROP TRIGGER users_note_update ON users;
DROP TRIGGER users_note_delete ON users;
DROP TRIGGER users_forget_searches_update ON users;
DROP FUNCTION note_posts();
DROP FUNCTION note_users();
DROP VIEW count_differences;
DROP VIEW pending_counts;
DROP TABLE post_deltas;
DROP TABLE user_deltas;

-- Notes -------------------------------------------------------------------------------------------

-- One post that came (no old status), went (no new one), or changed.
CREATE TABLE post_notes (
  user_id      uuid NOT NULL,
  old_status   text,
  new_status   text,
  scheduled_at timestamptz NOT NULL,
  created_at   timestamptz NOT NULL,
  post_id      uuid NOT NULL
);

CREATE TABLE user_notes (
  old_status text,
  new_status text,
  created_at timestamptz NOT NULL
);

-- What the notes add to the numbers, and take from them.
CREATE VIEW post_deltas AS
  SELECT user_id, new_status AS status, hour_of(scheduled_at) AS scheduled_hour,
         hour_of(created_at) AS created_hour, hour_of(post_id) AS id_hour, 1::bigint AS n
    FROM post_notes WHERE new_status IS NOT NULL
  UNION ALL
  SELECT user_id, old_status, hour_of(scheduled_at), hour_of(created_at), hour_of(post_id), -1::bigint
    FROM post_notes WHERE old_status IS NOT NULL;

CREATE VIEW user_deltas AS
  SELECT new_status AS status, hour_of(created_at) AS created_hour, 1::bigint AS n
    FROM user_notes WHERE new_status IS NOT NULL
  UNION ALL
  SELECT old_status, hour_of(created_at), -1::bigint FROM user_notes WHERE old_status IS NOT NULL;

CREATE FUNCTION note_posts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO post_notes SELECT user_id, NULL, status, scheduled_at, created_at, id FROM new_rows;
  ELSE
    INSERT INTO post_notes SELECT user_id, status, NULL, scheduled_at, created_at, id FROM old_rows;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER posts_note_insert AFTER INSERT ON posts
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_posts();
CREATE TRIGGER posts_note_delete AFTER DELETE ON posts
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_posts();

-- Row by row: keeping the rows of before and after for a statement takes longer than the notes.
CREATE FUNCTION note_changed_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO post_notes
  VALUES (NEW.user_id, OLD.status, NEW.status, NEW.scheduled_at, NEW.created_at, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER posts_note_update AFTER UPDATE ON posts FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND OLD.user_id = NEW.user_id AND OLD.scheduled_at = NEW.scheduled_at
        AND OLD.created_at = NEW.created_at AND OLD.id = NEW.id)
  EXECUTE FUNCTION note_changed_post();

-- Counted elsewhere from now on: gone from there, come to here.
CREATE FUNCTION note_moved_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO post_notes
  VALUES (OLD.user_id, OLD.status, NULL, OLD.scheduled_at, OLD.created_at, OLD.id),
         (NEW.user_id, NULL, NEW.status, NEW.scheduled_at, NEW.created_at, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER posts_note_move AFTER UPDATE ON posts FOR EACH ROW
  WHEN (OLD.user_id <> NEW.user_id OR OLD.scheduled_at <> NEW.scheduled_at
        OR OLD.created_at <> NEW.created_at OR OLD.id <> NEW.id)
  EXECUTE FUNCTION note_moved_post();

CREATE FUNCTION note_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO user_notes SELECT NULL, status, created_at FROM new_rows;
  ELSE
    INSERT INTO user_notes SELECT status, NULL, created_at FROM old_rows;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER users_note_insert AFTER INSERT ON users
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_users();
CREATE TRIGGER users_note_delete AFTER DELETE ON users
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_users();

CREATE FUNCTION note_changed_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_notes
  VALUES (OLD.status, NULL, OLD.created_at), (NULL, NEW.status, NEW.created_at);
  RETURN NULL;
END $$;
CREATE TRIGGER users_note_update AFTER UPDATE ON users FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.created_at <> NEW.created_at)
  EXECUTE FUNCTION note_changed_user();

-- Only another handle or DID makes the kept searches wrong; nothing else pays for them.
CREATE OR REPLACE FUNCTION forget_searches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7261545);
  DELETE FROM search_counts;
  RETURN NULL;
END $$;
CREATE TRIGGER users_forget_searches_update AFTER UPDATE OF handle, did ON users FOR EACH ROW
  WHEN (OLD.search_text <> NEW.search_text) EXECUTE FUNCTION forget_searches();

CREATE OR REPLACE FUNCTION forget_posts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE post_notes, user_post_counts, search_counts;
  DELETE FROM counts WHERE axis LIKE 'posts.%';
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION forget_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE user_notes;
  DELETE FROM counts WHERE axis LIKE 'users.%';
  RETURN NULL;
END $$;

-- Adding up ---------------------------------------------------------------------------------------

-- What is kept along which axis. Of all statuses together, as the status '*', only where a place in a
-- list is looked for: totals are added up by status, and by id a list has one status.
CREATE VIEW stretches AS
  SELECT axis, width, is_together
  FROM (VALUES ('posts.scheduled'), ('posts.created'), ('posts.id'), ('users.created')) AS axes (axis)
  CROSS JOIN (VALUES (1), (24), (768), (24576)) AS widths (width)
  CROSS JOIN (VALUES (false), (true)) AS kinds (is_together)
  WHERE NOT is_together OR (width < 24576 AND axis <> 'posts.id');

INSERT INTO counts (axis, width, status, bucket, n)
  SELECT axis, width, '*', bucket, sum(n)
  FROM counts JOIN stretches USING (axis, width) WHERE is_together
  GROUP BY 1, 2, 4 ORDER BY 1, 2, 4;

CREATE VIEW pending_counts AS
  SELECT axis, status, hour, n FROM post_deltas,
    LATERAL (VALUES ('posts.scheduled', scheduled_hour), ('posts.created', created_hour), ('posts.id', id_hour))
      AS along (axis, hour)
  UNION ALL
  SELECT 'users.created', status, created_hour, n FROM user_deltas;

-- As before, from notes instead of deltas, and of all statuses together. Fewer at a time: the caller
-- comes again until there are none, and ten thousand could take longer than a statement may.
CREATE OR REPLACE FUNCTION fold_counts(most integer DEFAULT 2000) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  folded bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7261545) THEN
    RETURN 0;
  END IF;
  WITH posts_taken AS (
    DELETE FROM post_notes WHERE ctid = ANY (ARRAY(SELECT ctid FROM post_notes LIMIT most)) RETURNING *
  ),
  users_taken AS (
    DELETE FROM user_notes WHERE ctid = ANY (ARRAY(SELECT ctid FROM user_notes LIMIT most)) RETURNING *
  ),
  post_steps AS (
    SELECT user_id, step.status, scheduled_at, created_at, post_id, step.n FROM posts_taken,
      LATERAL (VALUES (old_status, -1), (new_status, 1)) AS step (status, n)
    WHERE step.status IS NOT NULL
  ),
  steps AS (
    SELECT axis, status, hour, n FROM post_steps,
      LATERAL (VALUES ('posts.scheduled', hour_of(scheduled_at)), ('posts.created', hour_of(created_at)),
                      ('posts.id', hour_of(post_id))) AS along (axis, hour)
    UNION ALL
    SELECT 'users.created', step.status, hour_of(created_at), step.n FROM users_taken,
      LATERAL (VALUES (old_status, -1), (new_status, 1)) AS step (status, n)
    WHERE step.status IS NOT NULL
  ),
  by_stretch AS (
    INSERT INTO counts AS c (axis, width, status, bucket, n)
    SELECT axis, width, CASE WHEN is_together THEN '*' ELSE status END,
           floor(hour / width::numeric)::bigint, sum(n)
    FROM steps JOIN stretches USING (axis)
    GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0
    ON CONFLICT (axis, width, status, bucket) DO UPDATE SET n = c.n + excluded.n
  ),
  by_user AS (
    INSERT INTO user_post_counts AS c (user_id, status, n)
    SELECT user_id, status, sum(n) FROM post_steps GROUP BY 1, 2 HAVING sum(n) <> 0
    ON CONFLICT (user_id, status) DO UPDATE SET n = c.n + excluded.n
  ),
  by_search AS (
    UPDATE search_counts AS c SET n = c.n + taken.n
    FROM (SELECT s.pattern, t.status, sum(t.n) AS n
          FROM post_steps t JOIN users u ON u.id = t.user_id
          JOIN (SELECT DISTINCT pattern FROM search_counts) AS s ON u.search_text LIKE s.pattern
          GROUP BY 1, 2) AS taken
    WHERE c.pattern = taken.pattern AND c.status = taken.status
  )
  SELECT (SELECT count(*) FROM posts_taken) + (SELECT count(*) FROM users_taken) INTO folded;
  RETURN folded;
END $$;

-- Finding a place ---------------------------------------------------------------------------------

-- The hour in which the row after the first `skip` rows of an order stands, and how many rows of that
-- hour come before it. No row when there are not that many. Of one status, or else of all there are;
-- by id of one status only.
CREATE OR REPLACE FUNCTION find_hour(
  wanted_axis text, statuses text[], is_descending boolean, skip bigint,
  OUT hour bigint, OUT remaining bigint
) RETURNS SETOF record STABLE LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  wanted_status text := CASE WHEN cardinality(statuses) = 1 THEN statuses[1] ELSE '*' END;
  direction integer := CASE WHEN is_descending THEN -1 ELSE 1 END;
  -- The first and the last bucket to look at; at the widest, all there are.
  lowest bigint := -9000000000;
  highest bigint := 9000000000;
  stretch bigint;
  noted_hours bigint[];
  noted_steps bigint[];
  places refcursor;
  here bigint;
BEGIN
  remaining := skip;
  IF EXISTS (SELECT FROM post_notes) OR EXISTS (SELECT FROM user_notes) THEN
    SELECT array_agg(p.hour), array_agg(p.n) INTO noted_hours, noted_steps
    FROM pending_counts p WHERE p.axis = wanted_axis AND p.status = ANY (statuses);
  END IF;
  FOREACH stretch IN ARRAY ARRAY[768, 24, 1] LOOP
    IF noted_hours IS NULL THEN
      OPEN places FOR
        SELECT c.bucket, c.n FROM counts c
        WHERE c.axis = wanted_axis AND c.width = stretch AND c.status = wanted_status
          AND c.bucket BETWEEN lowest AND highest
        ORDER BY c.bucket * direction;
    ELSE
      OPEN places FOR
        SELECT near.bucket, sum(near.n)::bigint
        FROM (
          SELECT c.bucket, c.n FROM counts c
          WHERE c.axis = wanted_axis AND c.width = stretch AND c.status = wanted_status
            AND c.bucket BETWEEN lowest AND highest
          UNION ALL
          SELECT (noted.hour - mod(mod(noted.hour, stretch) + stretch, stretch)) / stretch, noted.n
          FROM unnest(noted_hours, noted_steps) AS noted (hour, n)
          WHERE noted.hour BETWEEN lowest * stretch AND highest * stretch + stretch - 1
        ) AS near
        GROUP BY near.bucket ORDER BY near.bucket * direction;
    END IF;
    LOOP
      FETCH places INTO hour, here;
      IF NOT FOUND THEN
        CLOSE places;
        RETURN;
      END IF;
      EXIT WHEN here > remaining;
      remaining := remaining - here;
    END LOOP;
    CLOSE places;
    -- Next, the narrower stretches inside the one found.
    lowest := hour * CASE stretch WHEN 24 THEN 24 ELSE 32 END;
    highest := lowest + CASE stretch WHEN 24 THEN 23 ELSE 31 END;
  END LOOP;
  RETURN NEXT;
END $$;

-- Proof and repair --------------------------------------------------------------------------------

CREATE OR REPLACE VIEW true_counts AS
  SELECT axis, width, CASE WHEN is_together THEN '*' ELSE status END AS status,
         floor(hour / width::numeric)::bigint AS bucket, sum(n)::bigint AS n
  FROM true_hours JOIN stretches USING (axis)
  GROUP BY 1, 2, 3, 4;

-- Empty when every number kept is the number there is.
CREATE VIEW count_differences AS
  WITH kept AS (
    SELECT axis, width, status, bucket, sum(n) AS n
    FROM (
      SELECT axis, width, status, bucket, n FROM counts
      UNION ALL
      SELECT axis, width, CASE WHEN is_together THEN '*' ELSE status END,
             floor(hour / width::numeric)::bigint, n
      FROM pending_counts JOIN stretches USING (axis)
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
CREATE OR REPLACE FUNCTION recount() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7261545);
  LOCK TABLE users, posts IN SHARE MODE;
  DELETE FROM post_notes;
  DELETE FROM user_notes;
  DELETE FROM counts;
  DELETE FROM user_post_counts;
  DELETE FROM search_counts;
  -- In the order in which they are read: neighbours then share a page.
  INSERT INTO counts (axis, width, status, bucket, n)
    SELECT axis, width, status, bucket, n FROM true_counts ORDER BY 1, 2, 3, 4;
  INSERT INTO user_post_counts (user_id, status, n)
    SELECT user_id, status, count(*) FROM posts GROUP BY 1, 2 ORDER BY 1, 2;
END $$;
