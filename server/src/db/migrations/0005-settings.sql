-- Service-wide switches: exactly one row.
CREATE TABLE service_settings (
  id                   integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  is_closed_beta       boolean NOT NULL DEFAULT false,
  is_service_suspended boolean NOT NULL DEFAULT false,
  updated_at           timestamptz NOT NULL DEFAULT now(),
  version              integer NOT NULL DEFAULT 1
);
INSERT INTO service_settings DEFAULT VALUES;

CREATE TRIGGER service_settings_version_rises BEFORE UPDATE ON service_settings FOR EACH ROW
  WHEN (NEW.version = OLD.version AND NEW.* IS DISTINCT FROM OLD.*) EXECUTE FUNCTION raise_version();
