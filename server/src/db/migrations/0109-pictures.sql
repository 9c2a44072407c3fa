-- Pictures of the members, and the state of retention.

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

-- The posts that show a picture.
CREATE TABLE post_media (
  post_id  uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  media_id uuid NOT NULL REFERENCES media ON DELETE CASCADE,
  PRIMARY KEY (post_id, media_id)
);
CREATE INDEX post_media_media ON post_media (media_id);

-- Bytes of a user's pictures, so that an upload reads one row, however many there are.
CREATE TABLE media_usage (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  bytes   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Objects whose picture is deleted. A row goes once the object is gone, so that a crash leaves nothing behind.
CREATE TABLE object_deletions (
  object_key text PRIMARY KEY
);

CREATE TABLE retention_state (
  id               boolean PRIMARY KEY DEFAULT true CHECK (id),
  finished_at      timestamptz,
  posts_deleted    bigint NOT NULL DEFAULT 0,
  pictures_deleted bigint NOT NULL DEFAULT 0
);
INSERT INTO retention_state DEFAULT VALUES;
