import { Catalogue } from './catalogue.ts';
import { test as base } from './test.ts';

export { expect } from './test.ts';

/** Tests of plans, tickets, currencies and settings, each with a catalogue of its own. */
export const test = base.extend<{ catalogue: Catalogue }, { openCatalogue: Catalogue }>({
  openCatalogue: [
    async ({ blank: { dataDir, meridian } }, provide) => {
      const catalogue = await Catalogue.open(dataDir, meridian);
      await provide(catalogue);
      await catalogue.close();
    },
    { scope: 'worker' },
  ],

  // After `app`, which removes the rows that refer to these.
  catalogue: async ({ app: _, openCatalogue: catalogue }, provide) => {
    await catalogue.reset();
    await provide(catalogue);
    await catalogue.reset();
  },
});
