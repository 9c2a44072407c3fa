-- A filtered list is counted and sorted by its index alone: the index holds every column that the list is
-- sorted by, and the column of its own expression, without which PostgreSQL reads each post as well.
DROP INDEX posts_failed_cause;
CREATE INDEX posts_failed_cause ON posts (coalesce(cause, ''), scheduled_at, id) INCLUDE (cause, created_at, status)
  WHERE status = 'FAILED';
DROP INDEX posts_hold;
CREATE INDEX posts_hold ON posts (hold, scheduled_at, id) INCLUDE (created_at, status) WHERE hold IS NOT NULL;
