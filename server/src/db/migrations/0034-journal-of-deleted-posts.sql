-- The journal of a deleted post loses its texts, once it is known whether the post went out. The entry
-- itself stays until its person is deleted: it keeps a repeated call from scheduling the post again.

-- In the order of the engine's statements, which would deadlock with this otherwise.
LOCK TABLE posts IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE;

ALTER TABLE deliveries ADD COLUMN deleted_at timestamptz;
CREATE INDEX deliveries_deleted ON deliveries (user_id) WHERE deleted_at IS NOT NULL;

CREATE FUNCTION without_records(writes json) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(json_agg(json_build_object('rkey', w -> 'rkey', 'cid', w -> 'cid')), '[]')
  FROM json_array_elements(writes) AS w
$$;

-- After plan_look, which gives those that may be on the wire a time for a look.
CREATE FUNCTION forget_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE deliveries d SET deleted_at = now(),
    writes = CASE WHEN d.look_at IS NULL THEN without_records(d.writes) ELSE d.writes END
  FROM changed WHERE d.post_id = changed.id;
  DELETE FROM delivery_attempts a USING changed WHERE a.post_id = changed.id;
  RETURN NULL;
END $$;
CREATE TRIGGER posts_journal_delete AFTER DELETE ON posts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION forget_texts();

-- Not before the update: for such a trigger every settled entry would be locked first.
CREATE FUNCTION forget_texts_looked_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE deliveries SET writes = without_records(writes) WHERE post_id = NEW.post_id;
  RETURN NULL;
END $$;
CREATE TRIGGER deliveries_looked_at AFTER UPDATE OF look_at ON deliveries FOR EACH ROW
  WHEN (OLD.look_at IS NOT NULL AND NEW.look_at IS NULL) EXECUTE FUNCTION forget_texts_looked_at();
