import * as z from 'zod/mini';
import type { Endpoint } from '@meridian/contract/endpoint';

export type JsonSchema = { [key: string]: unknown };

/** The schema from which Fastify compiles the serialiser of an answer: only what it lists leaves. */
export function answerSchema(endpoint: Endpoint): JsonSchema {
  const schema = z.toJSONSchema(endpoint.answer, {
    target: 'draft-07',
    io: 'output',
    unrepresentable: 'any',
  });
  return forSerializer(schema);
}

/**
 * `X or null` arrives as a choice of two schemas, which the serialiser would settle by validating
 * each value; `nullable` says the same and costs one comparison.
 */
function forSerializer(node: JsonSchema): JsonSchema {
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'default' ? value : walk(value)]),
  );
  const choices = copy['anyOf'];
  if (!Array.isArray(choices) || choices.length !== 2) return copy;
  const [first, second] = choices.filter(isSchema);
  if (first === undefined || second?.['type'] !== 'null') return copy;
  const { anyOf: _, ...rest } = copy;
  if (Object.keys(first).length === 0) return rest;
  return typeof first['type'] === 'string' ? { ...rest, ...first, nullable: true } : copy;
}

function walk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(walk);
  return isSchema(value) ? forSerializer(value) : value;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
