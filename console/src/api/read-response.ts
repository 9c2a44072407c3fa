import type { Endpoint } from '@meridian/contract/endpoint';

/*
 * The console may stand before a server written by someone else. Its responses are read along the
 * contract's own schema, forgivingly: a missing value becomes the emptiest one of its kind (null
 * where the schema allows it), unknown fields and words pass through, a single resource may come
 * with or without its envelope.
 */

type Schema = Endpoint['answer'];
type Definition = {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  valueType?: Schema;
  defaultValue?: unknown;
};

/** Limits that are also seen under another name. */
const ALIASES: Readonly<Record<string, string>> = {
  video_upload: 'video_upload_enabled',
  video_processing_minutes_monthly: 'video_processing_minutes_per_month',
};

export function readResponse(schema: Schema, raw: unknown): unknown {
  return read(schema, unwrapped(schema, raw));
}

/**
 * Whether a response is what was asked for at all. Forgiving inside, but not about the whole: read
 * from nothing, a list would be empty, a number zero, and a user a ghost with live buttons.
 */
export function isResponse(schema: Schema, raw: unknown): boolean {
  const whole = unwrapped(schema, raw);
  if (!isRecord(whole) || !hasAny(schema, whole)) return false;
  const isOne = envelopeName(schema) !== undefined;
  return Object.entries(shapeOf(schema)).every(([key, part]) => {
    // A resource can be shown without the list that belongs beside it.
    const isNothing = isOne && kindOf(part) === 'array' && whole[key] === undefined;
    return isNothing || isPart(part, whole[key]);
  });
}

function isPart(schema: Schema, raw: unknown): boolean {
  const kind = kindOf(schema);
  if (kind === 'array') return Array.isArray(raw);
  if (kind !== 'object') return true;
  return isRecord(raw) && (!('id' in shapeOf(schema)) || (raw['id'] ?? '') !== '');
}

/** The response as the schema has it, with or without an envelope. */
function unwrapped(schema: Schema, raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  const name = envelopeName(schema);
  if (name !== undefined) {
    return !isRecord(raw[name]) && 'id' in raw ? { ...raw, [name]: raw } : raw;
  }
  const [only, ...others] = Object.values(raw);
  const isWrapped = others.length === 0 && isRecord(only) && !hasAny(schema, raw);
  return isWrapped && hasAny(schema, only) ? only : raw;
}

/** Something that the schema names is there. */
function hasAny(schema: Schema, raw: Record<string, unknown>): boolean {
  return Object.keys(shapeOf(schema)).some((key) => key in raw);
}

function shapeOf(schema: Schema): Record<string, Schema> {
  return definitionOf(schema).shape ?? {};
}

function definitionOf(schema: Schema): Definition {
  return schema.def;
}

/** The name of the one resource a response is made of; undefined for lists and bare responses. */
function envelopeName(schema: Schema): string | undefined {
  const shape = shapeOf(schema);
  const resources = Object.keys(shape).filter((key) => kindOf(shape[key]) === 'object');
  const others = Object.keys(shape).filter(
    (key) => !['object', 'array'].includes(kindOf(shape[key])),
  );
  return resources.length === 1 && others.length === 0 ? resources[0] : undefined;
}

function kindOf(schema: Schema | undefined): string {
  return schema === undefined ? '' : definitionOf(schema).type;
}

function read(schema: Schema, raw: unknown): unknown {
  const definition = definitionOf(schema);
  switch (definition.type) {
    case 'object':
      return readObject(definition.shape ?? {}, raw);
    case 'array':
      return Array.isArray(raw) && definition.element
        ? raw.map((item) => readWith(definition.element, item))
        : [];
    case 'record':
      // One text in place of a text per language.
      return typeof raw === 'string' && kindOf(definition.valueType) === 'string'
        ? { en: raw }
        : readRecord(raw);
    case 'nullable':
      return raw === undefined || raw === null ? null : readWith(definition.innerType, raw);
    case 'optional':
      // Null is a value of its own only where the schema says so.
      return raw === undefined || (raw === null && kindOf(definition.innerType) !== 'nullable')
        ? undefined
        : readWith(definition.innerType, raw);
    case 'default':
      return readWith(definition.innerType, raw ?? definition.defaultValue);
    case 'string':
      return typeof raw === 'number' ? String(raw) : typeof raw === 'string' ? raw : '';
    case 'number':
      return Number.isFinite(Number(raw)) ? Number(raw) : 0;
    case 'boolean':
      return raw === true;
    default:
      return raw;
  }
}

function readWith(schema: Schema | undefined, raw: unknown): unknown {
  return schema === undefined ? raw : read(schema, raw);
}

function readObject(shape: Record<string, Schema>, raw: unknown): Record<string, unknown> {
  const source = isRecord(raw) ? raw : {};
  const result: Record<string, unknown> = { ...source };
  for (const [key, schema] of Object.entries(shape)) result[key] = read(schema, source[key]);
  return result;
}

function readRecord(raw: unknown): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(isRecord(raw) ? raw : {})) {
    result[ALIASES[key] ?? key] ??= value;
  }
  return result;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
