import type { Endpoint } from '@meridian/contract/endpoint';
import { bodyOf, openApiDocument } from '../../server/src/http/docs/openapi.ts';
import type { JsonSchema } from '../../server/src/http/register.ts';

/** A place of a request where a value goes. */
export type Field = {
  in: 'path' | 'query' | 'header' | 'body';
  name: string;
  steps: readonly string[];
};

const MAP_KEYS = ['en', 'ja', 'usd'];

/** From the same schemas the server checks by: a field added to the contract is attacked at once. */
export function fieldsOf(endpoint: Endpoint): Field[] {
  const operation = openApiDocument([endpoint]).paths[endpoint.path]?.[
    endpoint.method.toLowerCase()
  ];
  if (operation === undefined) throw new Error(`${endpoint.name} is not in the document`);
  const body = bodyOf(operation);
  const steps = body === undefined ? [] : [[], ...stepsIn(body)];
  return [
    ...operation.parameters.map((parameter) => ({
      in: parameter.in,
      name: parameter.name,
      steps: [],
    })),
    ...steps.map((path) => ({ in: 'body' as const, name: path.join('.'), steps: path })),
  ];
}

/** Every property, the ones with properties of their own included. */
function stepsIn(schema: JsonSchema): string[][] {
  if (isEmpty(schema)) return [];
  const variants = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => listAt(schema, word));
  const properties = Object.entries(objectAt(schema, 'properties'));
  const own = properties.flatMap(([name, inner]) => under(name, stepsIn(asSchema(inner))));
  const all = [...own, ...mapped(schema), ...variants.flatMap(stepsIn)];
  return [...new Map(all.map((steps) => [steps.join('.'), steps])).values()];
}

/** A map is attacked at keys that it may have or not, a list at its first entry. */
function mapped(schema: JsonSchema): string[][] {
  const [map, list] = [asSchema(schema['additionalProperties']), asSchema(schema['items'])];
  const keys = [...(isEmpty(map) ? [] : MAP_KEYS), ...(isEmpty(list) ? [] : ['0'])];
  const inner = [...stepsIn(map), ...stepsIn(list)];
  return keys.flatMap((key) => under(key, inner));
}

/** The place itself, and the places inside it. */
function under(step: string, inner: string[][]): string[][] {
  const places: string[][] = [[], ...inner];
  return places.map((steps) => [step].concat(steps));
}

function listAt(schema: JsonSchema, key: string): JsonSchema[] {
  const found = schema[key];
  return Array.isArray(found) ? found.map(asSchema) : [];
}

function objectAt(schema: JsonSchema, key: string): JsonSchema {
  return asSchema(schema[key]);
}

function isEmpty(schema: JsonSchema): boolean {
  return Object.keys(schema).length === 0;
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {};
}
