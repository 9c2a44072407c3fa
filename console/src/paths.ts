/** Every address of the console. Ids are encoded here and nowhere else. */
export const paths = {
  login: '/login',
  dashboard: '/',
  users: '/users',
  user: (id: string) => `/users/${encodeURIComponent(id)}`,
  posts: '/posts',
  post: (id: string) => `/posts/${encodeURIComponent(id)}`,
  tickets: '/tickets',
  ticketIssue: '/tickets/issue',
  ticket: (id: string) => `/tickets/${encodeURIComponent(id)}`,
  plans: '/plans',
  planCreate: '/plans/create',
  planEdit: (id: string) => `/plans/${encodeURIComponent(id)}/edit`,
  settings: '/settings',
  currencies: '/settings#currencies',
  /** Where cancelling a currency form goes; it leads on to the section of the settings. */
  currenciesAlias: '/currencies',
  currencyCreate: '/settings/currencies/create',
  currencyEdit: (id: string) => `/settings/currencies/${encodeURIComponent(id)}/edit`,
  password: '/password',
  engine: '/engine',
  audit: '/audit',
  failures: '/failures',
  jobs: '/jobs',
  job: (id: string) => `/jobs/${encodeURIComponent(id)}`,
  /** The page of the people who schedule: a document of its own. */
  people: '/me',
} as const;

/** The same addresses as the table of routes knows them. */
export const patterns = {
  user: '/users/:userId',
  post: '/posts/:postId',
  ticket: '/tickets/:ticketId',
  planEdit: '/plans/:planId/edit',
  currencyEdit: '/settings/currencies/:currencyId/edit',
  job: '/jobs/:jobId',
} as const;

/** A list with filters in force: `withSearch(paths.posts, { status: 'FAILED' })`. */
export function withSearch(path: string, search: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(
    Object.entries(search).filter(([, value]) => value !== ''),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}
