import type { JsonSchema } from '../answer-schema.ts';

/** A JSON Schema in the notation people read fastest: the shape of the value, types as words. */
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

/** One type, or several: a string that may be null has two. */
function typesOf({ type }: JsonSchema): unknown[] {
  return Array.isArray(type) ? type : [type];
}

// The bounds of exact integers are what every integer has: saying so tells nothing.
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

/** The smallest value that fits: what an example call sends. */
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
