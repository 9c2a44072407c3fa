-- Indexes for finding posts by more than their status. All are partial: a post that goes from PENDING
-- to PROCESSING to COMPLETED enters none of them.

-- By cause in the order of the list; a failure without a cause has the empty word.
CREATE INDEX posts_failed_cause ON posts (coalesce(cause, ''), scheduled_at, id) WHERE status = 'FAILED';
-- By the time of the failure.
CREATE INDEX posts_failed_at ON posts (coalesce(executed_at, updated_at)) WHERE status = 'FAILED';
-- Held posts in the order of the list. It serves every reader of the index that it replaces.
DROP INDEX posts_hold;
CREATE INDEX posts_hold ON posts (hold, scheduled_at, id) WHERE hold IS NOT NULL;
