// Users, their posts and their plans.
import { assignments, posts, users } from './data.mjs';
import { find, flag, now, oneOf, page, refuse, withStatus } from './rules.mjs';
import { assignmentOf } from './tickets.mjs';

const USER_STATUSES = ['ACTIVE', 'RESTRICTED', 'SUSPENDED', 'BLOCKED'];
const POST_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'];

const userOf = (id) => find(users, id, 'User');
const postOf = (id) => find(posts, id, 'Post');

export const peopleCalls = {
  'GET /stats': () => ({
    users: { ...counts(users), activeUsers: withStatus(users, { status: 'ACTIVE' }).length },
    posts: counts(posts),
  }),
  'GET /users': ({ query }) => page('users', withStatus(users, query), query),
  'GET /users/{id}': ({ id }) => ({ user: userOf(id) }),
  'PATCH /users/{id}': ({ id, body }) => ({ user: changeUser(userOf(id), body) }),
  'GET /users/{id}/posts': ({ id, query }) => {
    const own = posts.filter((post) => post.user_id === userOf(id).id);
    return page('posts', sorted(withStatus(own, query), {}).map(withAuthor), query);
  },
  'GET /users/{id}/plan-assignments': ({ id }) => ({
    assignments: assignments.filter(({ userId }) => userId === userOf(id).id).map(assignmentOf),
  }),
  'POST /users/{id}/plan-assignments/{assignmentId}/revoke': ({ id, assignmentId }) => ({
    assignment: revokeAssignment(userOf(id), find(assignments, assignmentId, 'Assignment')),
  }),
  'PATCH /users/{id}/restrictions': ({ id, body }) => {
    const prohibited = flag(body.upgradeProhibited, 'upgradeProhibited');
    Object.assign(userOf(id), { upgrade_prohibited: prohibited, updated_at: now() });
    return { upgradeProhibited: prohibited };
  },
  'GET /posts': ({ query }) => page('posts', sorted(filtered(query), query), query),
  'GET /posts/{id}': ({ id }) => ({ post: withAuthor(postOf(id)) }),
  'PATCH /posts/{id}': ({ id, body }) => ({ post: changePost(postOf(id), body.status) }),
  'DELETE /posts/{id}': ({ id }) => {
    posts.splice(posts.indexOf(postOf(id)), 1);
    return { success: true };
  },
  'POST /posts/{id}/cancel': ({ id }) => {
    const post = postOf(id);
    if (!['PENDING', 'PROCESSING'].includes(post.status)) refuse(409, 'It cannot be cancelled');
    return { post: changePost(post, 'CANCELLED') };
  },
};

function counts(list) {
  const statuses = [...new Set(list.map(({ status }) => status))];
  const countOf = (status) => ({ status, count: withStatus(list, { status }).length });
  return { total: list.length, byStatus: statuses.map(countOf) };
}

function changeUser(user, { status, is_active: isActive }) {
  if (status !== undefined) user.status = oneOf(status, 'status', USER_STATUSES);
  else user.is_active = flag(isActive, 'is_active');
  return Object.assign(user, { updated_at: now() });
}

function withAuthor(post) {
  const { id, did, handle, display_name, avatar } = userOf(post.user_id);
  return { ...post, user: { id, did, handle, display_name, avatar } };
}

function filtered(query) {
  const part = (query.userFilter ?? '').toLowerCase();
  const isBy = ({ user }) =>
    [user.handle, user.did].some((name) => name.toLowerCase().includes(part));
  return withStatus(posts, query).map(withAuthor).filter(isBy);
}

const compare = (a, b) => (a < b ? -1 : Number(a > b));

function sorted(list, { sort = 'scheduled_at', order = 'desc' }) {
  oneOf(sort, 'sort', ['status', 'scheduled_at', 'created_at']);
  const direction = oneOf(order, 'order', ['asc', 'desc']) === 'asc' ? 1 : -1;
  // Ties break by id, so that no page repeats or skips a post.
  return list.toSorted((a, b) => direction * (compare(a[sort], b[sort]) || compare(a.id, b.id)));
}

function changePost(post, status) {
  oneOf(status, 'status', POST_STATUSES);
  const canChange = ['PENDING', 'PROCESSING', 'CANCELLED'].includes(post.status);
  if (!canChange || status === post.status) refuse(409, 'The status cannot be changed to this');
  return withAuthor(Object.assign(post, { status, updated_at: now() }));
}

function revokeAssignment(user, assignment) {
  if (assignment.userId !== user.id) refuse(404, 'Assignment not found');
  if (assignment.status !== 'ACTIVE') refuse(409, 'Only an active assignment can be revoked');
  return assignmentOf(Object.assign(assignment, { status: 'REVOKED' }));
}
