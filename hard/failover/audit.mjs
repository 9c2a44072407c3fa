import { readFileSync } from 'node:fs';

/**
 * Holds what the host has accepted, by its own file, against what the database says now. Every text is one
 * part of one post.
 */
export function audit(file, posts, acknowledged) {
  const keysOf = new Map();
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { did, rkey, text } = JSON.parse(line);
    const part = `${did} ${text}`;
    keysOf.set(part, (keysOf.get(part) ?? new Set()).add(rkey));
  }
  const known = new Map(posts.map((post) => [post.id, post]));
  const isPublic = ({ did, texts }) => texts.some((text) => keysOf.has(`${did} ${text}`));
  const isWhole = ({ did, texts }) => texts.every((text) => keysOf.has(`${did} ${text}`));
  const count = (condition) => posts.filter(condition).length;
  return {
    published: keysOf.size,
    /** One part under two keys. */
    doubled: [...keysOf.values()].filter((keys) => keys.size > 1).length,
    /** Said to be out and not there, or not decided in time. */
    lost: count((post) => post.status === 'COMPLETED' && !isWhole(post)),
    undecided: count(({ status }) => status === 'PENDING' || status === 'PROCESSING'),
    /** Public, and not said to be. */
    denied: count((post) => post.status !== 'COMPLETED' && isPublic(post)),
    failed: count((post) => post.status === 'FAILED' && !isPublic(post)),
    /** The database's own loss: a write that it acknowledged is not there. */
    forgotten: acknowledged.filter((id) => !known.has(id)).length,
  };
}
