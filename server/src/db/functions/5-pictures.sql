-- Which pictures posts show, and how much room they take.

CREATE OR REPLACE FUNCTION link_media() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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
CREATE OR REPLACE TRIGGER posts_media_insert AFTER INSERT ON posts FOR EACH ROW
  WHEN (NEW.embed IS NOT NULL OR NEW.thread IS NOT NULL) EXECUTE FUNCTION link_media();
CREATE OR REPLACE TRIGGER posts_media_update AFTER UPDATE OF embed, thread ON posts FOR EACH ROW
  WHEN (OLD.embed IS DISTINCT FROM NEW.embed OR OLD.thread IS DISTINCT FROM NEW.thread)
  EXECUTE FUNCTION link_media();

CREATE OR REPLACE FUNCTION mark_media() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE media SET unused_since = NULL WHERE id = NEW.media_id AND unused_since IS NOT NULL;
  ELSE
    UPDATE media SET unused_since = now() WHERE id = OLD.media_id AND unused_since IS NULL
      AND NOT EXISTS (SELECT FROM post_media WHERE media_id = OLD.media_id);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_media_mark AFTER INSERT OR DELETE ON post_media FOR EACH ROW
  EXECUTE FUNCTION mark_media();

CREATE OR REPLACE FUNCTION count_media() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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
CREATE OR REPLACE TRIGGER media_count AFTER INSERT OR DELETE ON media FOR EACH ROW EXECUTE FUNCTION count_media();
