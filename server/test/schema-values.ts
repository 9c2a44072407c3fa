import * as fc from 'fast-check';

/** The part of JSON Schema that the API's documentation uses. */
export type Schema = {
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | false;
  propertyNames?: Schema;
  minProperties?: number;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  allOf?: Schema[];
  format?: string;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
};

/** One character each that UTF-8 writes in one, two, three and four bytes. */
const VISIBLE = fc.constantFrom('a', 'Z', '7', 'é', '漢', '😀');

/** Values that fit a schema, their edges among them. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { type } = schema;
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number') return numbers(schema);
  if (type === 'string') return strings(schema);
  if (type === 'array') {
    const { items = {}, minItems: minLength = 0 } = schema;
    return fc.array(valuesOf(items), { minLength, maxLength: 3 });
  }
  return objects(schema);
}

function numbers({ type, minimum = 0, maximum = 0 }: Schema): fc.Arbitrary<number> {
  const whole = fc.oneof(
    fc.constantFrom(minimum, maximum),
    fc.integer({ min: minimum, max: maximum }),
  );
  return type === 'integer' ? whole : fc.oneof(whole, fc.constantFrom(9.99, 0.0001, 1.5));
}

function strings({ format, pattern, minLength = 0, maxLength = 20 }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const [min, max] = [new Date('2000-01-02'), new Date('2099-12-30')];
    const times = fc.date({ min, max, noInvalidDate: true });
    return times.map((time) => time.toISOString());
  }
  if (format === 'uuid') return fc.uuid();
  if (pattern === '^[a-z]{3}$' || pattern === '^[A-Za-z]{3}$') {
    return fc.constantFrom('usd', 'jpy', 'eur');
  }
  const least = Math.max(minLength, pattern === undefined ? 0 : 1);
  return fc.oneof(
    fc.string({ unit: VISIBLE, minLength: least, maxLength: Math.min(maxLength, least + 20) }),
    fc.constant('😀'.repeat(maxLength)),
  );
}

function objects(schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, valuesOf(part)])),
    { requiredKeys: required },
  );
  const free =
    additionalProperties && propertyNames
      ? fc.dictionary(names(propertyNames), valuesOf(additionalProperties), { maxKeys: 3 })
      : fc.constant({});
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  return fc
    .tuple(free, named)
    .map(([others, own]) => Object.assign({}, others, own))
    .filter((value) => {
      const size = Object.keys(value).length;
      return size >= minProperties && size <= maxProperties;
    });
}

function names(schema: Schema): fc.Arbitrary<string> {
  return schema.enum ? fc.constantFrom(...schema.enum.map(String)) : strings(schema);
}

/** What a pattern may refuse: nothing but a space, and a control character. */
const BROKEN_TEXTS = [' ', 'x\u0007x'];

/** The same value with one rule of its schema broken, and which one. */
export function* brokenBy(schema: Schema, value: unknown): Generator<[rule: string, unknown]> {
  const { type, minimum, maximum, minLength = 0, maxLength, required = [] } = schema;
  const branch = schema.anyOf?.find((one) => (one.type === 'null') === (value === null));
  if (branch) {
    yield ['anyOf', []];
    if (value !== null) yield* brokenBy(branch, value);
    return;
  }
  yield ['type', type === 'array' ? 'no list' : [value]];
  yield ['type', type === 'boolean' ? 'yes' : true];
  if (schema.enum) yield ['enum', type === 'string' ? 'OTHER' : 2];
  if (schema.enum) return;
  if (schema.minItems !== undefined) yield ['minItems', []];
  if (minimum !== undefined) yield ['minimum', minimum - 1];
  if (maximum !== undefined) yield ['maximum', maximum + 1];
  if (type === 'integer') yield ['integer', (minimum ?? 0) + 0.5];
  if (schema.multipleOf !== undefined) yield ['multipleOf', 1.00001];
  if (maxLength !== undefined) yield ['maxLength', 'x'.repeat(maxLength + 1)];
  if (minLength > 0) yield ['minLength', 'x'.repeat(minLength - 1)];
  if (schema.pattern !== undefined) {
    const pattern = new RegExp(schema.pattern, 'u');
    for (const text of BROKEN_TEXTS) if (!pattern.test(text)) yield ['pattern', text];
  }
  if (schema.format === 'date-time') {
    for (const time of ['2026-02-30T00:00:00Z', '2026-01-01T00:00:00', '1999-12-31T00:00:00Z']) {
      yield ['date-time', time];
    }
  }
  if (Array.isArray(value) && schema.maxItems !== undefined) {
    yield ['maxItems', Array.from({ length: schema.maxItems + 1 }, () => 'x')];
    yield ['items', [0]];
  }
  if (type !== 'object' || typeof value !== 'object' || value === null) return;
  for (const name of required) {
    yield [
      `without ${name}`,
      Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)),
    ];
  }
  if (schema.minProperties === 1) yield ['minProperties', {}];
  yield ['additionalProperties', { ...value, unknown_field: 1 }];
  for (const [name, part] of Object.entries(value)) {
    const inner = schema.properties?.[name] ?? schema.additionalProperties;
    if (!inner) continue;
    for (const [rule, broken] of brokenBy(inner, part)) {
      yield [`${name}: ${rule}`, { ...value, [name]: broken }];
    }
  }
}
