-- The database belongs to Meridian alone: other programs work through HTTP, where the same rules are TypeScript.
DROP SCHEMA meridian_api CASCADE;
DROP FUNCTION redeem_ticket, why_not_schedule, passed_limit, has_video, images_in, posts_in_month, pending_posts,
  check_cause, check_hold, post_causes, storage_used, grapheme_count, grapheme_class;
