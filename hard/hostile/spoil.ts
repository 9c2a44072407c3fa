import type { Endpoint } from '@meridian/contract/endpoint';
import type { Field } from './fields.ts';
import type { Example } from './world.ts';

export type RawRequest = {
  method: Endpoint['method'];
  url: string;
  headers: Record<string, string>;
  payload: string | null;
};

/** A text that no example holds, and how it is written as JSON. */
const MARK = '\u0001';
const PLACE = JSON.stringify(MARK);

/** The example with this raw JSON (or, outside the body, this text) in one place. */
export function spoilt(
  endpoint: Endpoint,
  example: Example,
  field: Field,
  value: string,
): RawRequest {
  const params = { ...example.params };
  const query = new URLSearchParams(example.query);
  const headers: Record<string, string> = {};
  let body: string | null = example.body === null ? null : JSON.stringify(example.body);
  if (field.in === 'path') params[field.name] = value;
  else if (field.in === 'query') query.set(field.name, value);
  else if (field.in === 'header') headers[field.name] = value;
  else body = JSON.stringify(replaced(example.body ?? {}, field.steps)).replace(PLACE, () => value);
  return { ...requestOf(endpoint, params, query, body), headers };
}

export function requestOf(
  { method, path }: Endpoint,
  params: Record<string, string>,
  query: URLSearchParams,
  payload: string | null,
): RawRequest {
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encoded(params[name] ?? ''));
  const search = query.toString();
  return { method, url: search === '' ? filled : `${filled}?${search}`, headers: {}, payload };
}

/** What no address can hold is left as its replacement character. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function replaced(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return MARK;
  if (Array.isArray(value)) return value.with(Number(step), replaced(value[Number(step)], rest));
  const object = typeof value === 'object' && value !== null ? value : {};
  return { ...object, [step]: replaced(Reflect.get(object, step), rest) };
}
