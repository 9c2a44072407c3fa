-- A null in an embed is the same as a missing field, as for the engine: `media: null` hid pictures from
-- their limit, and a video.

-- The part of an embed that has the pictures: a quote with media holds them one level deeper.
CREATE FUNCTION media_of(embed jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(nullif(embed -> 'media', 'null'), embed)
$$;

CREATE OR REPLACE FUNCTION images_in(embed jsonb) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE jsonb_typeof(list.images) WHEN 'array' THEN jsonb_array_length(list.images) ELSE 0 END
  FROM (SELECT coalesce(nullif(media_of(embed) -> 'images', 'null'), media_of(embed) -> 'items')) AS list (images)
$$;

CREATE OR REPLACE FUNCTION has_video(embed jsonb, thread jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(bool_or(media_of(e) ->> '$type' ~ '^app\.bsky\.embed\.video(#|$)' OR media_of(e) ? 'video'), false)
  FROM (SELECT embed UNION ALL SELECT part -> 'embed' FROM jsonb_array_elements(thread) AS part) AS all_embeds (e)
$$;
