import {
  definitionOf,
  isRecord,
  kindOf,
  type ResponseSchema as Schema,
  unwrapped,
} from '@meridian/contract/response-shape';

/*
 * Responses are read along the contract's own schema, forgivingly: a missing value becomes the
 * emptiest one of its kind (null where the schema allows it), unknown fields and words pass through.
 */

/** Limits that are also seen under another name. */
const ALIASES: Readonly<Record<string, string>> = {
  video_upload: 'video_upload_enabled',
  video_processing_minutes_monthly: 'video_processing_minutes_per_month',
};

export function readResponse(schema: Schema, raw: unknown): unknown {
  return read(schema, unwrapped(schema, raw));
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
      return isUnsaid(definition.innerType, raw) ? undefined : readWith(definition.innerType, raw);
    case 'default':
      return readWith(definition.innerType, raw ?? definition.defaultValue);
    case 'string':
      return typeof raw === 'number' ? String(raw) : typeof raw === 'string' ? raw : '';
    case 'number':
      return numberIn(raw) ?? 0;
    case 'boolean':
      return flagIn(raw) ?? false;
    default:
      return raw;
  }
}

function readWith(schema: Schema | undefined, raw: unknown): unknown {
  return schema === undefined ? raw : read(schema, raw);
}

/** Whether an optional value is missing, or says nothing of its kind: 'soon' is neither No nor 0. */
function isUnsaid(schema: Schema | undefined, raw: unknown): boolean {
  const kind = kindOf(schema);
  if (kind === 'boolean') return flagIn(raw) === undefined;
  if (kind === 'number') return numberIn(raw) === undefined;
  // Null is a value of its own only where the schema says so.
  return raw === undefined || (raw === null && kind !== 'nullable');
}

function flagIn(raw: unknown): boolean | undefined {
  if (raw === true || raw === 1 || raw === 'true') return true;
  return raw === false || raw === 0 || raw === 'false' ? false : undefined;
}

function numberIn(raw: unknown): number | undefined {
  const isTold = typeof raw === 'number' || (typeof raw === 'string' && raw.trim() !== '');
  return isTold && Number.isFinite(Number(raw)) ? Number(raw) : undefined;
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
