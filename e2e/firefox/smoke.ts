import { TOKEN_STORAGE_KEY } from '@meridian/contract';
import { judge } from '../../server/test/figures.ts';
import { startMeridian } from '../support/meridian.ts';
import { findSampleIds, SCREENS } from '../support/screens.ts';
import { openFirefox } from './bidi.ts';
import type { Firefox } from './bidi.ts';

/** The narrowest window that the console is made for. */
const WIDTH = 360;

type Seen = { headings: string[]; reach: number };

/** In the page: waits until nothing is loading, however long that takes, and says what is there. */
const LOOK = `new Promise((resolve) => {
  const look = () => {
    const headings = Array.from(document.querySelectorAll('h1'), (one) => one.innerText.trim());
    const isLoading = document.querySelector('main [aria-busy="true"]') !== null ||
      document.body.innerText.includes('Loading');
    if (headings.length === 0 || isLoading) return;
    watcher.disconnect();
    resolve(JSON.stringify({ headings, reach: document.documentElement.scrollWidth }));
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  look();
})`;

async function evaluate(firefox: Firefox, context: string, expression: string): Promise<string> {
  const answer = await firefox.send<{ type: string; result?: { value: string } }>(
    'script.evaluate',
    { expression, target: { context }, awaitPromise: true },
  );
  if (answer.result === undefined) throw new Error(`The page failed: ${JSON.stringify(answer)}`);
  return answer.result.value;
}

/** Every screen, in Firefox: what is wrong with it, one line each. */
async function faultsOf(path: string): Promise<string[]> {
  const { meridian, stop } = await startMeridian();
  const firefox = await openFirefox(path);
  const faults: string[] = [];
  try {
    let screen = '';
    firefox.on('log.entryAdded', (params) => {
      const { level, text } = params as { level: string; text: string | null };
      if (['error', 'warn'].includes(level)) faults.push(`${screen}: ${level}: ${text}`);
    });
    await firefox.send('session.subscribe', { events: ['log.entryAdded'] });
    const { context } = await firefox.send<{ context: string }>('browsingContext.create', {
      type: 'tab',
    });
    const viewport = { width: WIDTH, height: 740 };
    await firefox.send('browsingContext.setViewport', { context, viewport });
    const ids = await findSampleIds(meridian);
    // What needs no session first: afterwards there is one.
    for (const { name, path: pathOf, heading, isPublic } of SCREENS) {
      screen = name;
      const url = `${meridian.url}${pathOf(ids)}`;
      await firefox.send('browsingContext.navigate', { context, url, wait: 'complete' });
      const { headings, reach } = JSON.parse(await evaluate(firefox, context, LOOK)) as Seen;
      if (headings.length !== 1) faults.push(`${name}: ${headings.length} h1`);
      if (heading !== null && headings[0] !== heading) faults.push(`${name}: says ${headings[0]}`);
      if (reach > WIDTH) faults.push(`${name}: ${reach} px wide in a window of ${WIDTH} px`);
      if (isPublic !== true) continue;
      const token = [TOKEN_STORAGE_KEY, await meridian.token()].map((one) => JSON.stringify(one));
      await evaluate(firefox, context, `localStorage.setItem(${token.join()}), ''`);
    }
  } finally {
    await firefox.close();
    await stop();
  }
  return faults;
}

const faults = await faultsOf(process.env['FIREFOX_PATH'] ?? 'firefox-esr');
for (const fault of faults) process.stderr.write(`${fault}\n`);
judge({
  goal: `${SCREENS.length} screens in Firefox at ${WIDTH} px: one h1, no console error, nothing sideways`,
  measured: faults.length === 0 ? 'all of them' : `${faults.length} faults`,
  isMet: faults.length === 0,
});
process.exitCode = faults.length === 0 ? 0 : 1;
