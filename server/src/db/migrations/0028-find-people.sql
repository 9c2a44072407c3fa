-- Finding people is apart from adding up their posts: of up to a thousand people, only how they are found
-- depends on the pattern, and the sum needs no plan of its own each time.

DROP FUNCTION search_people;

-- Up to `most` people whose search text matches a pattern. The index is asked for `part`, a piece of the
-- pattern: the rest, such as '.bsky.social', stands in so many texts that looking it up costs more; as a
-- test of its value it is no condition for the index. Planned for each pattern: few people are found by
-- the index, many by reading the table until there are enough.
CREATE FUNCTION find_people(pattern text, part text, most integer) RETURNS uuid[]
STABLE LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN ARRAY(SELECT id FROM users
               WHERE search_text LIKE part AND (search_text LIKE pattern) IS TRUE LIMIT most);
END $$;

-- How many posts all people who match have in some statuses, but for the deltas pending. Planned for each
-- pattern, too: without it the planner takes them for few, and looks each one up.
CREATE FUNCTION posts_of_people(pattern text, statuses text[]) RETURNS bigint
STABLE LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN (SELECT coalesce(sum(posts_in(statuses, c)), 0)
          FROM users u JOIN user_post_counters c ON c.user_id = u.id WHERE u.search_text LIKE pattern);
END $$;
