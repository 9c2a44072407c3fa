-- Counters of users and posts by status, and of each user's posts: docs/counters.md explains them.
--
-- A change inserts one delta and updates no counter, so two writers never wait for each other. A
-- background task applies the deltas to the counters; a reader adds the deltas still pending, in one
-- snapshot, so that a total is exact at any moment.

CREATE TABLE status_counters (
  noun   text NOT NULL CHECK (noun IN ('users', 'posts')),
  status text NOT NULL,
  n      bigint NOT NULL,
  PRIMARY KEY (noun, status)
) WITH (fillfactor = 10);

-- One row per user who has or had posts. Not columns of users: with every change of a counter all indexes
-- of that table would be written.
CREATE TABLE user_post_counters (
  user_id    uuid PRIMARY KEY,
  pending    integer NOT NULL,
  processing integer NOT NULL,
  completed  integer NOT NULL,
  failed     integer NOT NULL,
  cancelled  integer NOT NULL
) WITH (fillfactor = 80);

-- `n` rows left one status (null: they are new) for another (null: they were deleted).
CREATE TABLE counter_deltas (
  noun       text NOT NULL,
  -- The author, when posts are counted.
  user_id    uuid,
  old_status text,
  new_status text,
  n          integer NOT NULL
);
