import type { Endpoint } from '@meridian/contract/endpoint';
import { definitionOf, isRecord, kindOf, unwrapped } from '@meridian/contract/response-shape';
import type { ResponseSchema } from '@meridian/contract/response-shape';
import * as z from 'zod/mini';
import { isDemanded, mayStandForNull, wordsOf } from './law.ts';

/** One way in which a response is not what the contract says. Holds no value of the response. */
export type Difference = {
  /** `posts[].scheduled_at`: the same for every row. */
  field: string;
  /** For the implementer: '`posts[0].scheduled_at` is missing; the console shows …'. */
  sentence: string;
};

export type Comparison = {
  /** What the console cannot show, or would show wrongly. */
  differences: Difference[];
  /** What it copes with. */
  notes: Difference[];
};

const ROWS_COMPARED = 100;
const DISTINCT_MAX = 50;
const FIELD_MAX_LENGTH = 100;
const TIME_EXAMPLE = '2026-03-02T08:14:00.000Z';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Compares a successful response with the contract, and with what the specification asks of it. */
export function compare(endpoint: Endpoint, raw: unknown): Comparison {
  const found = {
    differences: new Map<string, Difference>(),
    notes: new Map<string, Difference>(),
  };

  function add(kind: keyof typeof found, path: string, sentence: string): void {
    const field = path.replaceAll(/\[\d+\]/g, '[]');
    const key = `${field} ${sentence}`;
    if (found[kind].has(key) || found[kind].size >= DISTINCT_MAX) return;
    const where = path === '' ? 'the response' : `\`${path}\``;
    found[kind].set(key, { field, sentence: `${where} ${sentence}` });
  }

  function visit(schema: ResponseSchema, value: unknown, path: string): void {
    const { base, isNullable, hasDefault } = unwrapSchema(schema);
    const field = `${endpoint.name}.${path.replaceAll(/\[\d+\]/g, '')}`;
    const expected = expectedOf(base, field) + (isNullable ? ' or null' : '');
    if (value === undefined) {
      if (!isDemanded(field)) return;
      if ((isNullable && mayStandForNull(field)) || hasDefault) {
        add(
          'notes',
          path,
          `is missing; the console takes it for ${hasDefault ? 'its default' : 'null'}`,
        );
      } else add('differences', path, `is missing; the console shows ${expected} there`);
      return;
    }
    if (value === null && (isNullable || !isDemanded(field))) return;
    if (!isOfKind(base, value)) {
      // A text where a text is expected: it is its form that is wrong.
      const isForm = typeof value === 'string' && value !== '' && kindOf(base) === 'string';
      const found = kindOfValue(value) + (isForm ? ' in another form' : '');
      add('differences', path, `is ${found}; the console shows ${expected} there`);
      return;
    }
    const words = wordsOf(field);
    if (words !== null && typeof value === 'string' && !words.includes(value)) {
      add(
        'notes',
        path,
        `is none of ${words.join(', ')}; the console shows the word as it is, in gray`,
      );
    }
    visitInside(base, value, path);
  }

  function visitInside(schema: ResponseSchema, value: unknown, path: string): void {
    const { shape, element, valueType } = definitionOf(schema);
    const at = (key: string) => (path === '' ? key : `${path}.${key}`);
    if (shape !== undefined && isRecord(value)) {
      for (const [key, part] of Object.entries(shape)) visit(part, value[key], at(key));
    } else if (element !== undefined && Array.isArray(value)) {
      for (const [index, item] of value.slice(0, ROWS_COMPARED).entries()) {
        visit(element, item, `${path}[${index}]`);
      }
    } else if (valueType !== undefined && isRecord(value)) {
      for (const [key, item] of Object.entries(value)) visit(valueType, item, at(printable(key)));
    }
  }

  visit(endpoint.answer, unwrapped(endpoint.answer, raw), '');
  return {
    differences: [...found.differences.values()],
    notes: [...found.notes.values()],
  };
}

/** The rules for an error: a JSON object with a message that people can read. */
export function compareError(raw: unknown): Difference[] {
  const message = isRecord(raw) ? raw['message'] : undefined;
  if (typeof message === 'string' && message.trim() !== '') return [];
  const sentence =
    'is an error without `message`; the console shows that text to the administrator';
  return [{ field: 'message', sentence: `the response ${sentence}` }];
}

function unwrapSchema(schema: ResponseSchema) {
  let base = schema;
  let [isNullable, hasDefault] = [false, false];
  for (;;) {
    const { type, innerType } = definitionOf(base);
    if (innerType === undefined) return { base, isNullable, hasDefault };
    isNullable ||= type === 'nullable';
    hasDefault ||= type === 'default';
    base = innerType;
  }
}

const formatOf = (schema: ResponseSchema) => z.globalRegistry.get(schema)?.format;

function isOfKind(schema: ResponseSchema, value: unknown): boolean {
  switch (kindOf(schema)) {
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'record':
      // One text in place of a text per language.
      return isRecord(value) || (typeof value === 'string' && isPerLanguage(schema));
    case 'string':
      if (formatOf(schema) === 'date-time') return typeof value === 'string' && isTime(value);
      // Ids may be numbers.
      return typeof value === 'string' || (formatOf(schema) === 'uuid' && Number.isInteger(value));
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'union':
      return typeof value === 'number' || typeof value === 'boolean';
    default:
      return true;
  }
}

function expectedOf(schema: ResponseSchema, field: string): string {
  switch (kindOf(schema)) {
    case 'object':
      return `an object with ${demandedIn(schema, field).join(', ')}`;
    case 'array':
      return 'a list';
    case 'record':
      if (isPerLanguage(schema)) return 'a text per language, such as {"en":"…"},';
      return isPerCurrency(schema) ? 'an amount per currency, such as {"usd":9.99},' : 'an object';
    case 'string':
      if (formatOf(schema) === 'date-time') return `an ISO 8601 time, such as ${TIME_EXAMPLE},`;
      return formatOf(schema) === 'uuid' ? 'an id' : 'a text';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    default:
      return 'a number, true or false';
  }
}

function demandedIn(schema: ResponseSchema, field: string): string[] {
  const names = Object.keys(definitionOf(schema).shape ?? {});
  return names.filter((name) => isDemanded(`${field.replace(/\.$/, '')}.${name}`));
}

function isPerLanguage(schema: ResponseSchema): boolean {
  return kindOf(definitionOf(schema).valueType) === 'string';
}

function isPerCurrency(schema: ResponseSchema): boolean {
  return kindOf(definitionOf(schema).valueType) === 'number';
}

function isTime(text: string): boolean {
  return TIME.test(text) && !Number.isNaN(Date.parse(text));
}

function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text';
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' ? 'a number' : 'an object';
}

/** Names come from the other server too. */
function printable(key: string): string {
  return key.replaceAll(/[^\p{L}\p{N}_-]/gu, '?').slice(0, FIELD_MAX_LENGTH);
}
