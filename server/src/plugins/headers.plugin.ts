import type { FastifyInstance } from 'fastify';

const SHARED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
} as const;

/** For everything that is not a page: data, refused requests, files. Pages override it. */
export const DATA_HEADERS = {
  ...SHARED,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const;

/** Sources besides this server's own that a page may load pictures from, or call. */
export type PageSources = {
  images?: readonly string[];
  calls?: readonly string[];
  /** Whether it sends a form to this server. */
  hasForm?: boolean;
};

/**
 * The headers of an HTML page: only our own files, pictures from the named sources, no inline
 * anything. A picture that the server fetched from another host is shown as a `blob:`.
 */
export function pageHeaders({ images = [], calls = [], hasForm = false }: PageSources = {}) {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ['img-src', "'self'", 'blob:', ...images].join(' '),
    "font-src 'self'",
    ['connect-src', "'self'", ...calls].join(' '),
    "manifest-src 'self'",
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    ...SHARED,
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy':
      'camera=(), microphone=(), geolocation=(), payment=(), usb=(), clipboard-write=(self)',
  };
}

export function setHeaders(app: FastifyInstance, hstsIncludeSubDomains: boolean): void {
  const hsts = `max-age=63072000${hstsIncludeSubDomains ? '; includeSubDomains' : ''}`;
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(DATA_HEADERS).header('x-request-id', request.id);
    // TLS ends at a proxy; it counts only when that proxy is trusted to say so.
    if (request.protocol === 'https') reply.header('strict-transport-security', hsts);
    done();
  });
}
