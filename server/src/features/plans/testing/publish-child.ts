import { localStoreIn } from '../../../objects/testing/stores.ts';
import { writeRevision } from '../plan-publisher.ts';
import { plansOfRound } from './numbered-plans.ts';

// A program to be killed or denied disk space: node publish-child.ts DIR ROUND TIMES FILLER_BYTES
const [dataDir = '', first = '1', times = '1', fillerBytes = '0'] = process.argv.slice(2);
const store = localStoreIn(dataDir);
const filler = 'x'.repeat(Number(fillerBytes));
const { signal } = new AbortController();
for (let round = Number(first); round < Number(first) + Number(times); round += 1) {
  await writeRevision(store, plansOfRound(round, filler), new Date().toISOString(), signal);
  process.stdout.write(`${round}\n`);
}
