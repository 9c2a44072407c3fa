import type { Endpoint } from './endpoint.ts';

/*
 * The console may stand before a server written by someone else. Both the console, which reads its
 * responses, and the server, which checks them, follow the response schema of the endpoint.
 */

export type ResponseSchema = Endpoint['answer'];
type Definition = {
  type: string;
  shape?: Record<string, ResponseSchema>;
  element?: ResponseSchema;
  innerType?: ResponseSchema;
  valueType?: ResponseSchema;
  defaultValue?: unknown;
};

export function definitionOf(schema: ResponseSchema): Definition {
  return schema.def;
}

export function kindOf(schema: ResponseSchema | undefined): string {
  return schema === undefined ? '' : definitionOf(schema).type;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shapeOf(schema: ResponseSchema): Record<string, ResponseSchema> {
  return definitionOf(schema).shape ?? {};
}

/**
 * Whether a response is what was asked for at all. Forgiving inside, but not about the whole: read
 * from nothing, a list would be empty, a number zero, and a user a ghost with live buttons.
 */
export function isResponse(schema: ResponseSchema, raw: unknown): boolean {
  const whole = unwrapped(schema, raw);
  if (!isRecord(whole) || !hasAny(schema, whole)) return false;
  const isOne = envelopeName(schema) !== undefined;
  return Object.entries(shapeOf(schema)).every(([key, part]) => {
    // A resource can be shown without the list that belongs beside it.
    const isNothing = isOne && kindOf(part) === 'array' && whole[key] === undefined;
    return isNothing || isPart(part, whole[key]);
  });
}

function isPart(schema: ResponseSchema, raw: unknown): boolean {
  const kind = kindOf(schema);
  if (kind === 'array') return Array.isArray(raw);
  if (kind !== 'object') return true;
  return isRecord(raw) && (!('id' in shapeOf(schema)) || (raw['id'] ?? '') !== '');
}

/** The response as the schema has it: a single resource may come with or without its envelope. */
export function unwrapped(schema: ResponseSchema, raw: unknown): unknown {
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
function hasAny(schema: ResponseSchema, raw: Record<string, unknown>): boolean {
  return Object.keys(shapeOf(schema)).some((key) => key in raw);
}

/** The name of the one resource a response is made of; undefined for lists and bare responses. */
function envelopeName(schema: ResponseSchema): string | undefined {
  const shape = shapeOf(schema);
  const resources = Object.keys(shape).filter((key) => kindOf(shape[key]) === 'object');
  const others = Object.keys(shape).filter(
    (key) => !['object', 'array'].includes(kindOf(shape[key])),
  );
  return resources.length === 1 && others.length === 0 ? resources[0] : undefined;
}
