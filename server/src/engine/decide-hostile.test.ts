import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NetworkResponse } from '../network/network.ts';
import { decide } from './decide.ts';
import { first, NOW } from './testing/responses.ts';

test('hostile responses neither throw nor count as published', () => {
  const anyBody = fc.oneof(
    fc.anything(),
    fc.record({ uri: fc.string(), cid: fc.anything(), commit: fc.anything() }),
    fc.record({ results: fc.anything(), blob: fc.anything(), commit: fc.anything() }),
  );
  const words = ['InvalidSwap', 'RecordNotFound', 'RateLimitExceeded', '__proto__', 'toString'];
  const response: fc.Arbitrary<NetworkResponse> = fc.record({
    kind: fc.constant('response' as const),
    status: fc.oneof(fc.constantFrom(200, 400, 401, 429, 500), fc.integer()),
    error: fc.oneof(fc.constant(null), fc.constantFrom(...words), fc.string()),
    message: fc.option(fc.string(), { nil: null }),
    body: anyBody,
    retryAt: fc.option(fc.date({ noInvalidDate: false }), { nil: null }),
  });
  const situations = fc.record({
    call: fc.constantFrom('putRecord', 'applyWrites', 'uploadBlob', 'getRecord'),
    everSent: fc.boolean(),
    transientFailures: fc.nat(),
  });
  fc.assert(
    fc.property(response, situations, (hostile, situation) => {
      const decision = decide(hostile, { ...first, ...situation });
      expect(['published', 'already', 'uploaded', 'altered']).not.toContain(
        decision.kind === 'altered' && situation.call === 'getRecord' ? 'fine' : decision.kind,
      );
      expect(decision.kind === 'retry' ? decision.at : NOW).toBeGreaterThanOrEqual(NOW);
    }),
    { numRuns: 2000 },
  );
});
