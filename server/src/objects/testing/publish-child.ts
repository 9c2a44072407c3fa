import { publishPlanFiles } from '../publish.ts';
import { plansOfRound } from './plan-sets.ts';
import { localStoreIn } from './stores.ts';

// A program of its own, to be killed or starved of disk: node publish-child.ts DIR ROUND TIMES FILLER
const [dataDir = '', first = '1', times = '1', fillerBytes = '0'] = process.argv.slice(2);
const store = localStoreIn(dataDir);
const filler = 'x'.repeat(Number(fillerBytes));
for (let round = Number(first); round < Number(first) + Number(times); round += 1) {
  await publishPlanFiles(store, plansOfRound(round, filler));
  process.stdout.write(`${round}\n`);
}
