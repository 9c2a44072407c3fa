-- Users, posts and the settings carry a version, as plans do: a change made from an old one is refused.

ALTER TABLE users ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE posts ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE service_settings ADD COLUMN version integer NOT NULL DEFAULT 1;

-- For every program that writes, also one that knows no versions. A program that sets the version is
-- left alone, and an update that changes nothing is no change.
CREATE FUNCTION raise_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER posts_version_rises BEFORE UPDATE ON posts FOR EACH ROW
  WHEN (NEW.version = OLD.version AND NEW.* IS DISTINCT FROM OLD.*) EXECUTE FUNCTION raise_version();
CREATE TRIGGER service_settings_version_rises BEFORE UPDATE ON service_settings FOR EACH ROW
  WHEN (NEW.version = OLD.version AND NEW.* IS DISTINCT FROM OLD.*) EXECUTE FUNCTION raise_version();
-- By name: a trigger before the update does not know the generated column yet.
CREATE TRIGGER users_version_rises BEFORE UPDATE ON users FOR EACH ROW
  WHEN (NEW.version = OLD.version AND
        (NEW.did, NEW.handle, NEW.display_name, NEW.avatar, NEW.status, NEW.is_active,
         NEW.has_access_keyword_access, NEW.upgrade_prohibited, NEW.created_at, NEW.updated_at)
        IS DISTINCT FROM
        (OLD.did, OLD.handle, OLD.display_name, OLD.avatar, OLD.status, OLD.is_active,
         OLD.has_access_keyword_access, OLD.upgrade_prohibited, OLD.created_at, OLD.updated_at))
  EXECUTE FUNCTION raise_version();
