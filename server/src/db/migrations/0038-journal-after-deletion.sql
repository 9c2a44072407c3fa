-- Posts deleted before 0034 left their texts in the journal. So did those deleted between their claim and
-- their journal entry, which was made all the same and never looked at; now it is made only while its post
-- is there. In a migration of its own: this one keeps no statement waiting.
UPDATE deliveries d SET deleted_at = now(),
  look_at = CASE WHEN d.settled_at IS NULL THEN now() + interval '15 seconds' END,
  writes = CASE WHEN d.settled_at IS NULL THEN d.writes ELSE without_records(d.writes) END
WHERE d.deleted_at IS NULL AND NOT EXISTS (SELECT FROM posts p WHERE p.id = d.post_id);
DELETE FROM delivery_attempts a WHERE NOT EXISTS (SELECT FROM posts p WHERE p.id = a.post_id);
