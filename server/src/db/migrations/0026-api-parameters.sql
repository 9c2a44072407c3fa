-- Parameters that other programs could get past the functions for them.

-- A null claimed every due post, without an end of its lease: no later claim found it again.
ALTER FUNCTION meridian_api.claim_posts STRICT;

-- A null was taken for the address of the record, and a call that was repeated because its response
-- was lost wrote a further entry to the audit log.
CREATE OR REPLACE FUNCTION meridian_api.finish_post(post_id uuid, attempt integer, at_uri text) RETURNS text
LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  sent deliveries;
  post posts;
BEGIN
  SELECT * INTO sent FROM deliveries d WHERE d.post_id = finish_post.post_id;
  IF sent.post_id IS NULL
     OR at_uri IS DISTINCT FROM 'at://' || sent.did || '/app.bsky.feed.post/' || (sent.writes -> 0 ->> 'rkey') THEN
    RAISE EXCEPTION 'the address is not the one of the journalled record' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT * INTO post FROM posts p WHERE p.id = post_id FOR NO KEY UPDATE;
  UPDATE deliveries d SET sent_at = coalesce(d.sent_at, clock_timestamp()), settled_at = clock_timestamp(),
    outcome = 'published', at_uri = finish_post.at_uri WHERE d.post_id = finish_post.post_id AND d.settled_at IS NULL;
  IF post.id IS NULL THEN
    INSERT INTO audit_log (actor_name, action, entity, entity_id, after)
      SELECT 'api', 'postPublishedAfterDelete', 'post', post_id::text, jsonb_build_object('at_uri', at_uri)
      WHERE NOT EXISTS (SELECT FROM audit_log a WHERE a.entity = 'post' AND a.entity_id = post_id::text
                          AND a.action = 'postPublishedAfterDelete');
    RETURN 'deleted';
  END IF;
  UPDATE posts p SET status = CASE WHEN p.status IN ('PENDING', 'PROCESSING') THEN 'COMPLETED' ELSE p.status END,
      claim_at = NULL, hold = NULL, at_uri = finish_post.at_uri, at_rkey = sent.writes -> 0 ->> 'rkey',
      executed_at = coalesce(p.executed_at, now()), updated_at = now(),
      cause = CASE WHEN p.status IN ('CANCELLED', 'FAILED') THEN 'published_after_cancel' END,
      error_msg = CASE WHEN p.status IN ('CANCELLED', 'FAILED') THEN 'Was already published when it was cancelled.' END
    WHERE p.id = post_id AND p.at_uri IS DISTINCT FROM finish_post.at_uri;
  RETURN CASE WHEN post.status IN ('CANCELLED', 'FAILED') THEN 'decided' ELSE 'finished' END;
END $$;

-- A function that is replaced loses its settings.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION meridian_api.finish_post SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END $$;

-- Without a bound one post could fill the memory of the server that shows it. Twice the longest line
-- of an import, since JSON grows by spaces when it is stored.
CREATE FUNCTION refuse_large_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a post has more than 2 MB of facets, embed, languages and thread'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'posts_size';
END $$;
CREATE TRIGGER posts_size BEFORE INSERT OR UPDATE OF facets, embed, languages, thread ON posts FOR EACH ROW
  WHEN (octet_length(concat(NEW.facets, NEW.embed, NEW.languages, NEW.thread)) > 2000000)
  EXECUTE FUNCTION refuse_large_post();
