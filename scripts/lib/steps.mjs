import { say, seconds, Stop } from './say.mjs';

/**
 * Runs one step of a check run and prints how it went. The body answers `{ ok }` (one check) or
 * counts `{ passed, failed, skipped }`, with `output` for the reader of a failure, or with `recap`
 * when it was shown already: the summary repeats that, because other steps print much after it.
 */
export async function step(name, body) {
  const startedAt = performance.now();
  const result = await settle(body);
  const counts = {
    passed: result.passed ?? (result.ok ? 1 : 0),
    failed: result.failed ?? (result.ok ? 0 : 1),
    skipped: result.skipped ?? 0,
  };
  const { note, recap } = result;
  const done = { name, ...counts, note, recap, ms: performance.now() - startedAt };
  if (counts.failed > 0 && result.output) process.stdout.write(`\n${result.output.trimEnd()}\n\n`);
  say(`  ${name.padEnd(10)}${describe(done)}`);
  return done;
}

export function printSummary(steps) {
  for (const { name, failed, recap } of steps) {
    if (failed > 0 && recap) say(`\nFailed in ${name}:\n${recap.trim()}`);
  }
  process.stdout.write('\n');
  for (const one of steps) {
    const counts = `${String(one.passed).padStart(6)} ${String(one.failed).padStart(7)}`;
    const duration = seconds(one.ms).padStart(10);
    process.stdout.write(
      `  ${one.name.padEnd(12)}${counts}${duration}${one.note ? `  ${one.note}` : ''}\n`,
    );
  }
  const total = (key) => steps.reduce((sum, one) => sum + one[key], 0);
  process.stdout.write(`\n${total('passed')} passed, ${total('failed')} failed\n`);
  return total('failed') === 0 ? 0 : 1;
}

async function settle(body) {
  try {
    return await body();
  } catch (error) {
    return { ok: false, output: error instanceof Stop ? error.message : error.stack };
  }
}

function describe({ passed, failed, skipped, note, ms }) {
  const parts = failed > 0 ? [`${failed} failed`] : [];
  if (passed + failed > 1) parts.push(`${passed} passed`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  const words = note ?? (parts.length > 0 ? parts.join(', ') : 'ok');
  return `${words} (${seconds(ms)})`;
}
