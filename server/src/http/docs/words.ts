import type { JsonSchema } from '../register.ts';

export const TAGS: Readonly<Record<string, string>> = {
  auth: 'Signing in and out, and who is signed in',
  settings: 'The switches of the service',
  stats: 'Users and posts by status',
  users: 'The people who schedule, with their posts and plans',
  posts: 'Scheduled posts and what became of them',
  tickets: 'Plan tickets, which members redeem for a plan',
  plans: 'Plans with their prices and limits',
  currencies: 'The currencies of the prices',
  picture: 'Pictures of other hosts, loaded through this server',
  engine: 'What publishes the posts: its processes, hosts and figures',
  find: 'One search over users, posts and tickets',
  audit: 'Who changed what, and its reversal',
  events: 'Server-sent events of what changed',
  failures: 'Failed posts by cause',
  overview: 'What needs attention now',
  handover: 'The note for the next administrator',
  'bulk-changes': 'Changes of many rows at once',
  consequences: 'Whom a change would concern',
  'access-keywords': 'Keywords that let newcomers in during closed beta',
  suspension: 'The details of a suspension',
  resume: 'How a suspended service goes on',
  'api-tokens': 'Tokens with which programs make calls',
  me: 'A member: account, posts, pictures, tickets and tokens',
};

export const PARAMETERS: Readonly<Record<string, string>> = {
  id: 'The id of the entity',
  assignmentId: 'The id of the plan assignment',
  limit: 'How many rows a page has at most',
  offset: 'How many rows to skip; a cursor is quicker and repeats none',
  cursor: 'A cursor of an earlier response, which leads to its next or previous page',
  status: 'Only rows of this status',
  search: 'A part of a name, a handle, a DID, a code or a memo, in any case',
  userFilter: 'A part of the handle, or of the DID, of the user, in any case',
  sort: 'The field by which posts are sorted',
  order: 'Ascending or descending',
  format: 'The form of the file',
  includeInactive: 'Inactive ones as well',
  includeInvisible: 'Hidden ones as well',
  userId: 'Only posts of this user',
  from: 'From this time on',
  to: 'Before this time',
  cause: 'Only posts that failed for this cause',
  error: 'Only posts that failed without a known cause and with this error text, by its beginning',
  owner: 'Only failed posts whose cause this party can remove',
  hold: 'Only posts that are held back for this reason',
  overdue: 'Only posts whose time has come and that nothing holds back',
  stuck: 'Only posts that are being published and whose worker is gone',
  failedFrom: 'Only posts that failed at this time or later',
  failedTo: 'Only posts that failed before this time',
  text: 'A part of the text, in any case; needs a user or a period',
  actor: 'Only entries of this administrator or program',
  action: 'Only entries of this action',
  entity: 'Only entries about this kind of thing',
  entityId: 'Only entries about the thing with this id',
  batch: 'Only entries of this change of many rows',
  q: 'What to look for: a handle, a DID, an id, an address or a part of a name',
  of: 'The change that is asked about',
  url: 'The address of the picture',
  window: 'The period before now',
};

export function schemaText(schema: JsonSchema, indent = ''): string {
  const { $ref, type, enum: words, const: word, anyOf, items, properties } = schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (word !== undefined) return JSON.stringify(word);
  if (Array.isArray(words)) return words.map((one) => JSON.stringify(one)).join(' | ');
  if (Array.isArray(anyOf))
    return anyOf.map((one) => schemaText(asSchema(one), indent)).join(' | ');
  if (type === 'array') return `[${schemaText(asSchema(items), indent)}, …]`;
  if (type !== 'object') return scalarText(schema);
  const inner = `${indent}  `;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = Object.entries(asSchema(properties)).map(
    ([name, one]) =>
      `${inner}${name}${required.includes(name) ? '' : '?'}: ${schemaText(asSchema(one), inner)}`,
  );
  const values = schema['additionalProperties'];
  if (typeof values === 'object' && values !== null) {
    fields.push(`${inner}[${keyText(schema)}]: ${schemaText(asSchema(values), inner)}`);
  }
  return fields.length === 0 ? '{}' : `{\n${fields.join('\n')}\n${indent}}`;
}

function scalarText(schema: JsonSchema): string {
  const { type, format, minimum, maximum, maxLength, default: fallback } = schema;
  const details = [
    typeof format === 'string' ? format : '',
    rangeText(minimum, maximum),
    typeof maxLength === 'number' ? `at most ${maxLength} characters` : '',
    fallback === undefined ? '' : `default ${JSON.stringify(fallback)}`,
  ].filter((detail) => detail !== '');
  const word = type === undefined ? 'any value' : typesOf(schema).join(' | ');
  return details.length === 0 ? word : `${word} (${details.join(', ')})`;
}

function typesOf({ type }: JsonSchema): unknown[] {
  return Array.isArray(type) ? type : [type];
}

/** Every integer has the bounds of exact integers, so these are left out. */
function rangeText(minimum: unknown, maximum: unknown): string {
  const low = typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? minimum : null;
  const high = typeof maximum === 'number' && maximum < 2_147_483_647 ? maximum : null;
  if (low !== null && high !== null) return `${low} to ${high}`;
  if (low !== null) return `at least ${low}`;
  return high === null ? '' : `at most ${high}`;
}

function keyText(schema: JsonSchema): string {
  const { enum: names, pattern } = asSchema(schema['propertyNames']);
  if (Array.isArray(names)) return names.join(' | ');
  return typeof pattern === 'string' ? pattern.replaceAll(/^\^|\$$/g, '') : 'name';
}

export function exampleOf(schema: JsonSchema): unknown {
  const { enum: words, const: word, anyOf, items, minimum } = schema;
  const [type] = typesOf(schema);
  if (schema['default'] !== undefined) return schema['default'];
  if (word !== undefined) return word;
  if (Array.isArray(words)) return words[0];
  if (Array.isArray(anyOf)) return exampleOf(asSchema(anyOf[0]));
  if (type === 'array') return [exampleOf(asSchema(items))];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(1, Number(minimum ?? 1));
  if (type === 'string') return exampleText(schema);
  if (type !== 'object') return null;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = Object.entries(asSchema(schema['properties']));
  const shown =
    required.length > 0
      ? properties.filter(([name]) => required.includes(name))
      : properties.slice(0, 1);
  return Object.fromEntries(shown.map(([name, one]) => [name, exampleOf(asSchema(one))]));
}

function exampleText({ format, pattern, minLength }: JsonSchema): string {
  if (format === 'date-time') return '2030-01-01T00:00:00Z';
  if (format === 'uuid') return '019a8f3c-5a10-7c3e-9d2b-1f0a6c7d8e9f';
  const isCurrency = typeof pattern === 'string' && pattern.includes('{3}');
  return isCurrency ? 'usd' : 'text'.padEnd(Number(minLength ?? 0), '-text');
}

function asSchema(value: unknown): JsonSchema {
  // Everything below a JSON Schema keyword that is asked for here is a schema or absent.
  return (value ?? {}) as JsonSchema;
}
