-- A post that is deleted while a worker has it may be public all the same, and its worker may die before
-- it says so. The journal outlives the post: by look_at the engine finds the entries to ask the host about.
ALTER TABLE deliveries ADD COLUMN look_at timestamptz;
CREATE INDEX deliveries_look ON deliveries (look_at) WHERE look_at IS NOT NULL;

CREATE FUNCTION plan_look() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- By then its worker has settled it, or is dead.
  UPDATE deliveries SET look_at = now() + interval '15 seconds'
  WHERE post_id = OLD.id AND settled_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER posts_look_delete AFTER DELETE ON posts FOR EACH ROW
  WHEN (OLD.attempt > 0 AND OLD.at_uri IS NULL) EXECUTE FUNCTION plan_look();
