-- Which database the engine worked with last. A restore or a failover makes it another one: what was sent
-- since the copy was taken is forgotten then, so hosts are asked about what was due before.
CREATE TABLE engine_database (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  identity text NOT NULL,
  -- When the engine first found another identity than it had written down.
  restored_at timestamptz
);

-- A database that holds posts may have been restored from a dump that was made before there was this table.
INSERT INTO engine_database (identity, restored_at)
SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
  left(pg_walfile_name(pg_current_wal_lsn()), 8), 'engine_database'::regclass::oid),
  CASE WHEN EXISTS (SELECT FROM posts) THEN now() END;
