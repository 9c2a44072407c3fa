-- Pictures of the people who schedule, edits of their posts, and the state of retention.

-- Media -------------------------------------------------------------------------------------------

CREATE TABLE media (
  id           uuid PRIMARY KEY,
  user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  -- Of the object store. Random: the key is all that is needed to load the picture.
  object_key   text NOT NULL UNIQUE CHECK (length(object_key) <= 100),
  mime_type    text NOT NULL CHECK (mime_type IN ('image/png', 'image/jpeg', 'image/webp')),
  bytes        integer NOT NULL CHECK (bytes > 0),
  width        integer NOT NULL CHECK (width > 0),
  height       integer NOT NULL CHECK (height > 0),
  created_at   timestamptz NOT NULL DEFAULT now(),
  -- Since when no post has it; null while one does.
  unused_since timestamptz DEFAULT now()
);
CREATE INDEX media_user ON media (user_id);
CREATE INDEX media_unused ON media (unused_since) WHERE unused_since IS NOT NULL;

-- Which posts show it. Kept by triggers, so that retries and other programs count too.
CREATE TABLE post_media (
  post_id  uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  media_id uuid NOT NULL REFERENCES media ON DELETE CASCADE,
  PRIMARY KEY (post_id, media_id)
);
CREATE INDEX post_media_media ON post_media (media_id);

CREATE FUNCTION link_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM post_media WHERE post_id = NEW.id;
  END IF;
  INSERT INTO post_media
    SELECT NEW.id, m.id FROM media m
    WHERE m.user_id = NEW.user_id AND m.object_key IN (
      SELECT key #>> '{}' FROM jsonb_path_query(jsonb_build_array(NEW.embed, NEW.thread), '$.**.key') AS key);
  RETURN NULL;
END $$;
CREATE TRIGGER posts_media_insert AFTER INSERT ON posts FOR EACH ROW
  WHEN (NEW.embed IS NOT NULL OR NEW.thread IS NOT NULL) EXECUTE FUNCTION link_media();
CREATE TRIGGER posts_media_update AFTER UPDATE OF embed, thread ON posts FOR EACH ROW
  WHEN (OLD.embed IS DISTINCT FROM NEW.embed OR OLD.thread IS DISTINCT FROM NEW.thread)
  EXECUTE FUNCTION link_media();

CREATE FUNCTION mark_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE media SET unused_since = NULL WHERE id = NEW.media_id AND unused_since IS NOT NULL;
  ELSE
    UPDATE media SET unused_since = now() WHERE id = OLD.media_id AND unused_since IS NULL
      AND NOT EXISTS (SELECT FROM post_media WHERE media_id = OLD.media_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER post_media_mark AFTER INSERT OR DELETE ON post_media FOR EACH ROW EXECUTE FUNCTION mark_media();

-- Bytes of a person's pictures, so that an upload reads one row, however many there are.
CREATE TABLE media_usage (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  bytes   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Objects whose picture is deleted. A row goes once the object is gone, so that a crash leaves nothing behind.
CREATE TABLE object_deletions (
  object_key text PRIMARY KEY
);

CREATE FUNCTION count_media() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO media_usage AS u VALUES (NEW.user_id, NEW.bytes)
      ON CONFLICT (user_id) DO UPDATE SET bytes = u.bytes + NEW.bytes;
  ELSE
    UPDATE media_usage SET bytes = bytes - OLD.bytes WHERE user_id = OLD.user_id;
    INSERT INTO object_deletions VALUES (OLD.object_key) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER media_count AFTER INSERT OR DELETE ON media FOR EACH ROW EXECUTE FUNCTION count_media();

CREATE FUNCTION storage_used(person uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT bytes FROM media_usage WHERE user_id = person), 0)
$$;

-- Mentions are looked up by handle.
CREATE INDEX users_handle ON users (lower(handle));

-- Edits -------------------------------------------------------------------------------------------

-- Replaces content and time of a PENDING post. Result: 'edited', the refusals of schedule_post,
-- 'unknown_post', 'changed' when it is no longer the version that the caller saw, or 'not_pending', also
-- when a record of it was journalled: what was journalled is what is sent.
CREATE FUNCTION meridian_api.edit_post(
  user_id uuid, post_id uuid, content text, scheduled_at timestamptz, facets jsonb DEFAULT NULL,
  embed jsonb DEFAULT NULL, languages text[] DEFAULT '{}', reply_to text DEFAULT NULL, thread jsonb DEFAULT NULL,
  expected_version integer DEFAULT NULL,
  OUT result text, OUT limit_name text, OUT allowed integer, OUT used integer, OUT ends_at timestamptz
) LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  post posts;
BEGIN
  result := why_not_schedule(user_id);
  IF result IS NOT NULL THEN
    RETURN;
  END IF;
  SELECT * INTO post FROM posts p WHERE p.id = post_id AND p.user_id = edit_post.user_id FOR NO KEY UPDATE;
  result := CASE
    WHEN post.id IS NULL THEN 'unknown_post'
    WHEN post.status <> 'PENDING' OR EXISTS (SELECT FROM deliveries d WHERE d.post_id = post.id) THEN 'not_pending'
    WHEN post.version <> expected_version THEN 'changed'
    WHEN has_video(embed, thread) THEN 'video'
    WHEN scheduled_at < clock_timestamp() - interval '1 minute' AND scheduled_at <> post.scheduled_at THEN 'in_the_past'
  END;
  IF result IS NULL THEN
    SELECT 'limit', l.name, l.allowed, l.used, l.ends_at INTO result, limit_name, allowed, used, ends_at
      FROM passed_limit(user_id, scheduled_at, content, embed, thread, post.id) AS l;
  END IF;
  IF result IS NOT NULL THEN
    RETURN;
  END IF;
  UPDATE posts p SET content = edit_post.content, facets = edit_post.facets, embed = edit_post.embed,
      languages = edit_post.languages, reply_to = edit_post.reply_to, thread = edit_post.thread,
      scheduled_at = edit_post.scheduled_at, updated_at = now(),
      -- A new time is planned by the trigger; at the same time pictures may need an earlier claim.
      claim_at = CASE WHEN p.scheduled_at = edit_post.scheduled_at AND p.hold IS NULL
        THEN first_claim_at(edit_post.scheduled_at, edit_post.embed, edit_post.reply_to, edit_post.thread)
        ELSE p.claim_at END
    WHERE p.id = post_id;
  result := 'edited';
END $$;

-- As every function of the schema: fixed search path, and for those who may schedule already.
DO $$
DECLARE
  f    regprocedure := 'meridian_api.edit_post'::regproc::regprocedure;
  role text;
BEGIN
  EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', f, current_schema());
  EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
  FOR role IN
    SELECT r.rolname FROM pg_proc p, aclexplode(p.proacl) AS a JOIN pg_roles r ON r.oid = a.grantee
    WHERE p.oid = 'meridian_api.schedule_post'::regproc AND a.grantee <> p.proowner
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', f, role);
  END LOOP;
END $$;

-- Idempotency keys --------------------------------------------------------------------------------

-- People have keys too: admin_id is then the id of a user. A server of the version before knows the
-- column by this name.
ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_admin_id_fkey;

-- Retention ---------------------------------------------------------------------------------------

-- What the job has deleted so far, for the metrics.
CREATE TABLE retention_state (
  id               boolean PRIMARY KEY DEFAULT true CHECK (id),
  finished_at      timestamptz,
  posts_deleted    bigint NOT NULL DEFAULT 0,
  pictures_deleted bigint NOT NULL DEFAULT 0
);
INSERT INTO retention_state DEFAULT VALUES;
