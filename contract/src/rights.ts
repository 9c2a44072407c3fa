/** An API token has some of these rights; each call of the contract names the one that it takes. */
export const RIGHTS = {
  'users:read': 'See users, their plans and accounts',
  'users:write': 'Change users, revoke their plans, disconnect their accounts',
  'posts:read': 'See posts, deliveries and failures',
  'posts:write': 'Change, cancel, delete and retry posts',
  'tickets:read': 'See tickets',
  'tickets:write': 'Issue and revoke tickets',
  'plans:read': 'See plans',
  'plans:write': 'Change and publish plans',
  'currencies:read': 'See currencies',
  'currencies:write': 'Change currencies',
  'settings:read': 'See the switches of the service',
  'settings:write': 'Change the switches of the service, suspend and resume it',
  'keywords:read': 'See access keywords',
  'keywords:write': 'Create and revoke access keywords',
  'audit:read': 'See the audit log',
  'engine:read': 'See the engine, its hosts and the figures of the service',
  members: 'Act for any member: schedule, redeem, export and delete on their behalf',
} as const;
export type Right = keyof typeof RIGHTS;
export const RIGHT_NAMES = Object.keys(RIGHTS) as [Right, ...Right[]]; // the keys of a literal
