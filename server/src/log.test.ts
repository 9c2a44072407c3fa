import { expect, test } from 'vitest';
import { DatabaseUnavailable } from './db/errors.ts';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => lines.push(line) }));
  return JSON.parse(lines.join('')) as Record<string, unknown>;
}

test('a log line has its level and time', () => {
  expect(logged((log) => log.info({ requestId: 'r' }, 'Request'))).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    requestId: 'r',
    msg: 'Request',
  });
});

test('secrets are masked at any depth', () => {
  const secrets = { password: 'hunter2', token: 'hunter2', authorization: 'hunter2' };
  const line = logged((log) =>
    log.warn({ ...secrets, body: secrets, request: { headers: secrets } }),
  );
  expect(JSON.stringify(line)).not.toContain('hunter2');
  expect(line['password']).toBe('[secret]');
});

test('secrets are masked in lists, bindings of child loggers and other errors', () => {
  const secrets = { password: 'hunter2', connectionString: 'hunter2' };
  const failed = Object.assign(new Error('failed'), secrets);
  const line = logged((log) =>
    log.child({ requestId: 'r', session: secrets }).warn({
      attempts: [{ name: 'one' }, secrets],
      nested: { deep: { deeper: secrets } },
      cause: failed,
      at: new Date(0),
    }),
  );
  expect(JSON.stringify(line)).not.toContain('hunter2');
  expect(line).toMatchObject({
    requestId: 'r',
    session: { password: '[secret]' },
    attempts: [{ name: 'one' }, { password: '[secret]' }],
    at: '1970-01-01T00:00:00.000Z',
  });
});

test('logged objects are not changed', () => {
  const request = { headers: { authorization: 'Bearer x', accept: '*/*' } };
  logged((log) => log.info({ request }, 'Request'));
  expect(request).toEqual({ headers: { authorization: 'Bearer x', accept: '*/*' } });
});

test('an error is logged with its causes, without attached objects', () => {
  const refused = Object.assign(new Error('connect'), {
    code: 'ECONNREFUSED',
    client: { secretKey: 'hunter2' },
    detail: 'Key (name)=(hunter2) exists',
  });
  const line = logged((log) => log.error({ err: new DatabaseUnavailable(refused) }, 'Failed'));
  expect(line['err']).toMatchObject({
    type: 'DatabaseUnavailable',
    cause: { message: 'connect', code: 'ECONNREFUSED' },
  });
  expect(JSON.stringify(line)).not.toContain('hunter2');
});

test('text that looks like a secret is left alone', () => {
  const line = logged((log) => log.info({ text: '"password":"x"' }, '{"token":"y"}'));
  expect(line).toMatchObject({ text: '"password":"x"', msg: '{"token":"y"}' });
});

test('a line break in a message starts no new log line', () => {
  const line = logged((log) => log.info('one\n{"level":"fatal"}'));
  expect(line).toMatchObject({ level: 'info', msg: 'one\n{"level":"fatal"}' });
});
