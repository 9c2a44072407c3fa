import './lib/require-node.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { endWithChildren } from './lib/run.mjs';
import { main } from './lib/say.mjs';
import { staticChecks } from './lib/static-checks.mjs';
import { printSummary, step } from './lib/steps.mjs';

await main(async () => {
  endWithChildren();
  await ensureInstalled();
  return printSummary(await Promise.all(staticChecks.map((check) => step(check.name, check.run))));
});
