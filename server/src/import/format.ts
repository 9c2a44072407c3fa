import { CAUSE_WORDS } from '@meridian/contract/cause-words';
import { choice, flag, instant } from '@meridian/contract/fields';
import { atMost } from '@meridian/contract/length';
import { USER_STATUSES } from '@meridian/contract/users';
import { issuesOf } from '@meridian/contract/validation';
import { createReadStream } from 'node:fs';
import * as z from 'zod/mini';

/** PROCESSING is refused: only the service that was sending such a post knows whether it is public. */
const IMPORTED_STATUSES = ['PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;

const orNull = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));

function text(label: string, max: number, min = 0) {
  const error = `${label} must be text of ${min} to ${max} characters`;
  return z
    .string({ error })
    .check(z.minLength(min, { error }), atMost(max, error))
    .register(z.globalRegistry, { minLength: min, maxLength: max });
}

function shaped(label: string, pattern: RegExp, shape: string, max: number) {
  const error = `${label} must be ${shape}`;
  return z.string({ error }).check(z.regex(pattern, { error }), z.maxLength(max, { error }));
}

const uuid = (label: string) => z.guid({ error: `${label} must be a UUID` });
const did = shaped(
  'did',
  /^did:[a-z]+:\S+$/u,
  'a DID such as did:plc:ewvi7nxzyoun6zhxrhs64oiz',
  2048,
);
const object = (label: string) =>
  z.record(z.string(), z.unknown(), { error: `${label} must be an object` });
const list = <T extends z.core.$ZodType>(label: string, of: T, min: number, max: number) => {
  const error = `${label} must be a list of ${min} to ${max} entries`;
  return z.array(of, { error }).check(z.minLength(min, { error }), z.maxLength(max, { error }));
};

export const importedPerson = z.strictObject({
  id: orNull(uuid('id')),
  did,
  handle: text('handle', 253, 1),
  display_name: orNull(text('display_name', 640)),
  avatar: orNull(text('avatar', 2048)),
  status: orNull(choice('status', USER_STATUSES)),
  is_active: orNull(flag('is_active')),
  has_access_keyword_access: orNull(flag('has_access_keyword_access')),
  upgrade_prohibited: orNull(flag('upgrade_prohibited')),
  created_at: orNull(instant('created_at')),
  updated_at: orNull(instant('updated_at')),
});

const RECORD = /^at:\/\/did:[^\s/]+\/app\.bsky\.feed\.post\/[^\s/]+$/u;

const postFields = z.strictObject({
  id: uuid('id'),
  did,
  content: text('content', 10_000),
  facets: orNull(list('facets', object('a facet'), 0, 10_000)),
  embed: orNull(object('embed')),
  languages: orNull(list('languages', text('a language', 64), 0, 100)),
  status: choice('status', IMPORTED_STATUSES),
  scheduled_at: instant('scheduled_at'),
  created_at: orNull(instant('created_at')),
  updated_at: orNull(instant('updated_at')),
  executed_at: orNull(instant('executed_at')),
  at_uri: orNull(
    shaped('at_uri', RECORD, 'the address of a post: at://DID/app.bsky.feed.post/KEY', 2600),
  ),
  at_rkey: orNull(text('at_rkey', 512, 1)),
  error_msg: orNull(text('error_msg', 4000)),
  cause: orNull(choice('cause', CAUSE_WORDS)),
  reply_to: orNull(text('reply_to', 2600)),
  thread: orNull(list('thread', object('a post of the thread'), 1, 24)),
  retry_of: orNull(uuid('retry_of')),
});
type PostFields = z.output<typeof postFields>;

const isOf = (error: string, path: keyof PostFields, holds: (post: PostFields) => boolean) =>
  z.refine<PostFields>(holds, { error, path: [path] });

export const importedPost = postFields
  .check(
    isOf(
      'at_uri is required of a COMPLETED post; null says that its address is not known',
      'at_uri',
      (post) => post.status !== 'COMPLETED' || post.at_uri !== undefined,
    ),
    isOf(
      'a PENDING post has no at_uri or at_rkey, because it is still to be published',
      'at_uri',
      (post) => post.status !== 'PENDING' || (post.at_uri ?? post.at_rkey ?? null) === null,
    ),
    isOf(
      'at_uri must be a record of the did, with at_rkey as its last part',
      'at_uri',
      ({ did: author, at_uri: uri, at_rkey: key }) =>
        (uri ?? null) === null ||
        (uri?.startsWith(`at://${author}/`) === true &&
          (key ?? uri.split('/').at(-1)) === uri.split('/').at(-1)),
    ),
  )
  .register(z.globalRegistry, {
    if: { properties: { status: { const: 'COMPLETED' } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, and never awaited
    then: { required: ['at_uri'] },
  });

export function importSchemas(): Record<string, object> {
  const described = { person: importedPerson, post: importedPost };
  return Object.fromEntries(
    Object.entries(described).map(([name, schema]) => [
      `import-${name}.json`,
      z.toJSONSchema(schema, { io: 'input' }),
    ]),
  );
}

const LINE_MAX_BYTES = 1_000_000;
const NEWLINE = 0x0a;

type Line = { number: number; bytes: number } & (
  | { text: string; fault: null }
  | { text: null; fault: string }
);

export async function* readLines(file: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let parts: Buffer[] = [];
  let bytes = 0;
  let number = 0;

  const keep = (part: Buffer) => {
    bytes += part.length;
    if (bytes <= LINE_MAX_BYTES) parts.push(part);
  };
  const take = (): Line => {
    const line = { number: (number += 1), bytes: bytes + 1 };
    const [whole, isTooLong] = [Buffer.concat(parts), bytes > LINE_MAX_BYTES];
    [parts, bytes] = [[], 0];
    if (isTooLong) return { ...line, text: null, fault: 'The line is longer than 1 MB' };
    try {
      return { ...line, text: decoder.decode(whole), fault: null };
    } catch {
      return { ...line, text: null, fault: 'The line is not UTF-8' };
    }
  };

  // A stream of bytes without an encoding yields buffers.
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      const line = take();
      if (line.text?.trim() !== '') yield line;
    }
    keep(chunk.subarray(start));
  }
  const last = take();
  if (last.text?.trim() !== '') yield last;
}

export function faultOf(schema: z.ZodMiniType, text: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'The line is not JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The line is not a JSON object';
  const { success, error } = schema.safeParse(value);
  if (success) return null;
  const messages = issuesOf(error, value).map(({ message }) => message);
  return [...new Set(messages)].join('; ');
}
