-- Changes of many rows at once. The set is written down when it is previewed, so that its id stands
-- for exactly these rows; the job then gives each row its result, once.

CREATE TABLE bulk_changes (
  id          uuid PRIMARY KEY,
  action      text NOT NULL CHECK (length(action) <= 40),
  value       text CHECK (length(value) <= 40),
  -- The ids, or the filter of a list, that the set was made from.
  selection   jsonb NOT NULL,
  -- SHA-256 of the ids in order: the same set has the same one.
  digest      bytea NOT NULL,
  state       text NOT NULL DEFAULT 'PREVIEWED'
              CHECK (state IN ('PREVIEWED', 'RUNNING', 'STOPPING', 'STOPPED', 'DONE')),
  total       integer NOT NULL,
  done        integer NOT NULL DEFAULT 0,
  failed      integer NOT NULL DEFAULT 0,
  skipped     integer NOT NULL DEFAULT 0,
  -- The author, for the entries of the audit log that the job writes later.
  admin_id    uuid NOT NULL REFERENCES admins,
  made_by     text NOT NULL,
  request_id  uuid,
  network     text,
  reason      text CHECK (length(reason) <= 500),
  -- The job has passed all rows up to this one; rows that were locked meanwhile come in a later round.
  passed_id   uuid,
  -- Moved by every batch: a job that has not moved it for a while is started again.
  beat_at     timestamptz,
  created_at  timestamptz NOT NULL DEFAULT now(),
  started_at  timestamptz,
  finished_at timestamptz
);
-- Two administrators who start the same set start one change.
CREATE UNIQUE INDEX bulk_changes_one_deed ON bulk_changes (action, coalesce(value, ''), digest)
  WHERE state IN ('RUNNING', 'STOPPING');
CREATE INDEX bulk_changes_latest ON bulk_changes (started_at DESC, id) WHERE started_at IS NOT NULL;
CREATE INDEX bulk_changes_previewed ON bulk_changes (created_at) WHERE state = 'PREVIEWED';
CREATE INDEX bulk_changes_admin ON bulk_changes (admin_id);

CREATE TABLE bulk_change_rows (
  change_id uuid NOT NULL REFERENCES bulk_changes ON DELETE CASCADE,
  -- Of a post, user, ticket or assignment, which may be gone meanwhile.
  row_id    uuid NOT NULL,
  result    text CHECK (result IN ('done', 'skipped', 'failed')),
  message   text CHECK (length(message) <= 500),
  -- The row as it was before, as the audit log stores it of a single change.
  was       jsonb,
  PRIMARY KEY (change_id, row_id)
-- Every row is updated once, in place.
) WITH (fillfactor = 70);
