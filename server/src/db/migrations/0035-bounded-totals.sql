-- The posts of many people are counted no further than `most`: a search that meets most people is done
-- after some hundred of them. The function without it serves processes of before.

CREATE FUNCTION posts_of_people(pattern text, statuses text[], most bigint) RETURNS bigint
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  total bigint := 0;
  posts integer;
BEGIN
  -- A lookup per person: joined, the counters of everybody could be read first.
  FOR posts IN SELECT (SELECT posts_in(statuses, c) FROM user_post_counters c WHERE c.user_id = u.id)
               FROM users u WHERE u.search_text LIKE pattern LOOP
    total := total + coalesce(posts, 0);
    EXIT WHEN total > most;
  END LOOP;
  RETURN total;
END $$;
