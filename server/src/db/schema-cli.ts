import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool, withClient } from '../cli/cli.ts';
import { describeSchema } from './schema.ts';
import { startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { migrate } from './migrate.ts';

await runTool({ name: 'schema', untouched: 'Nothing was written.' }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'meridian-schema-'));
  const embedded = await startEmbeddedDatabase({ dataDir, purpose: 'serve', onNotice() {} });
  try {
    await migrate(embedded.connection);
    const text = await withClient(embedded.connection, describeSchema);
    await writeFile(new URL('./schema.sql', import.meta.url), text);
    process.stdout.write('Written to server/src/db/schema.sql.\n');
  } finally {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
