/** Among how many posts the stories are told; 0: in an empty database, as npm test does it. */
export const STORY_POSTS = Number(process.env['STORY_POSTS'] ?? 0);

/** A story that is also told among many posts: it counts only what it wrote, or asks the database. */
export const AMONG_MANY = { tag: '@many' };
