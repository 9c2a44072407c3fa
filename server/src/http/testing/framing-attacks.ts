/** Bytes that one client sends, and what the service behind may see of them. */
export type FramingAttack = {
  name: string;
  /** Written one after the other; the connection stays open behind the last. */
  bytes: string;
  /** Request lines that arrive upstream, in any order; the base path is the test's. */
  passes: string[];
};

const ME = 'GET /api/admin/auth/me HTTP/1.1';
/** What the attacker wants the service to read as a request of its own. */
const SMUGGLED = 'GET /internal/secrets HTTP/1.1\r\nHost: x\r\n\r\n';
/** The start of a request whose headers the next person's request would complete. */
const PREFIX = 'POST /internal/keep HTTP/1.1\r\nHost: x\r\nContent-Length: 400\r\n\r\n';
const CHUNKED_SMUGGLED = `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`;

function request(line: string, headers: string[], body = ''): string {
  return [line, 'Host: localhost', 'Authorization: Bearer attacker', ...headers, '', body].join(
    '\r\n',
  );
}

const line = (method: string, path = '/api/admin/users/7') => `${method} ${path} HTTP/1.1`;
const length = (text: string) => `Content-Length: ${text.length}`;

const bodyless = ['GET', 'HEAD'].flatMap((method): FramingAttack[] => [
  {
    name: `${method} with the length of a body that never comes`,
    bytes: request(line(method), ['Content-Length: 400']),
    passes: [],
  },
  {
    name: `${method} with a request as its body`,
    bytes: request(line(method), [length(SMUGGLED)], SMUGGLED),
    passes: [],
  },
  {
    name: `${method} with a prefix as its body`,
    bytes: request(line(method), [length(PREFIX)], PREFIX),
    passes: [],
  },
  {
    name: `${method} with a chunked body`,
    bytes: request(line(method), ['Transfer-Encoding: chunked'], CHUNKED_SMUGGLED),
    passes: [],
  },
  {
    name: `${method} with a chunked body that never ends`,
    bytes: request(line(method), ['Transfer-Encoding: chunked'], `5\r\nhello\r\n`),
    passes: [],
  },
  {
    name: `${method} whose length is not its bytes`,
    bytes: request(line(method), ['Content-Length: 3'], SMUGGLED),
    passes: [],
  },
  {
    name: `${method} with an empty body`,
    bytes: request(line(method), ['Content-Length: 0', 'Connection: close']),
    passes: [line(method)],
  },
  {
    name: `${method} that asks to keep its length for the connection`,
    bytes: request(line(method), ['Connection: content-length', 'Content-Length: 400']),
    passes: [],
  },
]);

const withBody = ['POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method): FramingAttack[] => [
  {
    name: `${method} with a request as its body`,
    bytes: request(line(method), [length(SMUGGLED), 'Connection: close'], SMUGGLED),
    passes: [line(method)],
  },
  {
    name: `${method} with a chunked request as its body`,
    bytes: request(
      line(method),
      ['Transfer-Encoding: chunked', 'Connection: close'],
      CHUNKED_SMUGGLED,
    ),
    passes: [line(method)],
  },
  {
    name: `${method} with chunk extensions`,
    bytes: request(
      line(method),
      ['Transfer-Encoding: chunked', 'Connection: close'],
      `3;x="GET /internal"\r\nabc\r\n0;y=1\r\n\r\n`,
    ),
    passes: [line(method)],
  },
  {
    name: `${method} with trailers`,
    bytes: request(
      line(method),
      ['Transfer-Encoding: chunked', 'Trailer: Authorization', 'Connection: close'],
      `3\r\nabc\r\n0\r\nAuthorization: Bearer other\r\nX-Real-IP: 1.1.1.1\r\n\r\n`,
    ),
    passes: [line(method)],
  },
  {
    name: `${method} with a length in its trailers`,
    bytes: request(
      line(method),
      ['Transfer-Encoding: chunked'],
      `3\r\nabc\r\n0\r\nContent-Length: 9\r\n\r\n`,
    ),
    passes: [],
  },
  {
    name: `${method} with a length and chunks`,
    bytes: request(
      line(method),
      ['Content-Length: 4', 'Transfer-Encoding: chunked'],
      CHUNKED_SMUGGLED,
    ),
    passes: [],
  },
  {
    name: `${method} with chunks and a length`,
    bytes: request(
      line(method),
      ['Transfer-Encoding: chunked', `Content-Length: ${CHUNKED_SMUGGLED.length}`],
      CHUNKED_SMUGGLED,
    ),
    passes: [],
  },
  {
    name: `${method} with half of its body`,
    bytes: request(line(method), ['Content-Length: 400'], '{"a":'),
    passes: [],
  },
  {
    name: `${method} with half of a chunk`,
    bytes: request(line(method), ['Transfer-Encoding: chunked'], `ff\r\n${SMUGGLED}`),
    passes: [],
  },
  {
    name: `${method} with a follower behind its body`,
    bytes: request(line(method), ['Content-Length: 2'], '{}') + request(ME, ['Connection: close']),
    passes: [line(method), ME],
  },
  {
    name: `${method} with a follower outside of the API`,
    bytes: request(line(method), ['Content-Length: 2'], '{}') + SMUGGLED,
    passes: [line(method)],
  },
]);

/** Spellings of the framing headers that some parsers read and others do not. */
const spelled: FramingAttack[] = [
  ['two lengths that differ', ['Content-Length: 0', `Content-Length: ${SMUGGLED.length}`]],
  ['two lengths that agree', [length(SMUGGLED), length(SMUGGLED)]],
  ['a list of lengths', [`Content-Length: 0, ${SMUGGLED.length}`]],
  ['a length with a sign', [`Content-Length: +${SMUGGLED.length}`]],
  ['a negative length', ['Content-Length: -1']],
  ['a hexadecimal length', [`Content-Length: 0x${SMUGGLED.length.toString(16)}`]],
  ['a length with a fraction', [`Content-Length: ${SMUGGLED.length}.0`]],
  ['a length beyond all numbers', ['Content-Length: 99999999999999999999']],
  ['an empty length', ['Content-Length:']],
  ['a blank before the colon', [`Content-Length : ${SMUGGLED.length}`]],
  ['a folded length', ['Content-Length: 0\r\n 1']],
  ['chunked and something else', ['Transfer-Encoding: chunked, identity']],
  ['something else and chunked', ['Transfer-Encoding: gzip, chunked']],
  ['identity', ['Transfer-Encoding: identity', length(SMUGGLED)]],
  ['chunked in another spelling', ['Transfer-Encoding: xchunked']],
  ['chunked behind a tab', ['Transfer-Encoding:\tchunked', 'Content-Length: 4']],
  ['chunked behind a control character', ['Transfer-Encoding: \x0bchunked', 'Content-Length: 4']],
  ['two encodings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']],
  ['a blank before the encoding', ['Transfer-Encoding : chunked', 'Content-Length: 4']],
  [
    'a bare line feed before the encoding',
    ['X: y\nTransfer-Encoding: chunked', 'Content-Length: 4'],
  ],
  ['a bare carriage return', ['X: y\rTransfer-Encoding: chunked', 'Content-Length: 4']],
  ['a NUL in a header', ['X: a\0b', 'Content-Length: 4']],
].map(([name, headers]) => ({
  name: `POST with ${String(name)}`,
  bytes: request(line('POST'), headers as string[], CHUNKED_SMUGGLED),
  passes: [],
}));

const chunks: FramingAttack[] = [
  ['a chunk size with a sign', `+5\r\nhello\r\n0\r\n\r\n`],
  ['a chunk size with 0x', `0x5\r\nhello\r\n0\r\n\r\n`],
  ['a chunk size beyond all numbers', `ffffffffffffffff1\r\nhello\r\n0\r\n\r\n`],
  ['a chunk longer than its size', `1\r\nhello\r\n0\r\n\r\n`],
  ['a chunk that ends in a bare line feed', `5\r\nhello\n0\r\n\r\n`],
  ['a chunk extension with a bare line feed', `5;a\nb\r\nhello\r\n0\r\n\r\n`],
  ['an endless chunk extension', `5;${'a'.repeat(40_000)}\r\nhello\r\n0\r\n\r\n`],
].map(([name, body]) => ({
  name: `POST with ${String(name)}`,
  bytes: request(line('POST'), ['Transfer-Encoding: chunked'], body),
  passes: [],
}));

const others: FramingAttack[] = [
  {
    name: 'OPTIONS with a request as its body',
    bytes: request(line('OPTIONS'), [length(SMUGGLED), 'Connection: close'], SMUGGLED),
    passes: [],
  },
  {
    name: 'OPTIONS with a chunked body and a follower',
    bytes:
      request(line('OPTIONS'), ['Transfer-Encoding: chunked'], CHUNKED_SMUGGLED) +
      request(ME, ['Connection: close']),
    passes: [ME],
  },
  {
    name: 'GET followed by bytes outside of the API',
    bytes: request(ME, []) + SMUGGLED,
    passes: [ME],
  },
  {
    name: 'three GET requests in one write',
    bytes: request(ME, []) + request(ME, []) + request(ME, ['Connection: close']),
    passes: [ME, ME, ME],
  },
  {
    name: 'an upgrade to HTTP/2',
    bytes: request(ME, [
      'Upgrade: h2c',
      'HTTP2-Settings: AA',
      'Connection: Upgrade, HTTP2-Settings',
    ]),
    passes: [ME],
  },
  {
    name: 'a body that waits for permission',
    bytes: request(line('POST'), ['Expect: 100-continue', 'Content-Length: 400']),
    passes: [],
  },
  {
    name: 'a length that is declared a matter of the connection',
    bytes: request(line('POST'), [length(SMUGGLED), 'Connection: content-length, close'], SMUGGLED),
    passes: [line('POST')],
  },
  {
    name: 'HTTP/1.0 with a body and a follower',
    bytes:
      request('POST /api/admin/users/7 HTTP/1.0', ['Content-Length: 2'], '{}') +
      request(ME, ['Connection: close']),
    passes: [],
  },
];

export const FRAMING_ATTACKS: FramingAttack[] = [
  ...bodyless,
  ...withBody,
  ...spelled,
  ...chunks,
  ...others,
];
