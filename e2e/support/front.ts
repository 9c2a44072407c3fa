import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/config.ts';
import { startPictureHost } from '../../server/src/features/pictures/testing/picture-host.ts';
import type { PictureHost } from '../../server/src/features/pictures/testing/picture-host.ts';
import { createLog } from '../../server/src/log.ts';
import type { StandIn } from './stand-in.ts';

const DIST = pathToFileURL(`${path.resolve(import.meta.dirname, '../../console/dist')}/`);

export type Front = { url: string; host: PictureHost; close: () => Promise<void> };

/**
 * Meridian in front of another service, as UPSTREAM_API makes it, with a host of pictures on this
 * machine behind every name under example.test.
 */
export async function startFront(
  service: Pick<StandIn, 'url'>,
  settings: Record<string, string> = {},
): Promise<Front> {
  const host = await startPictureHost();
  const app = await buildApp({
    config: readConfig({
      UPSTREAM_API: service.url,
      IMAGE_HOSTS: 'trusted.example.test',
      ...settings,
    }),
    log: createLog('silent'),
    context: null,
    consoleDir: DIST,
    pictures: { network: host.network() },
  });
  return {
    url: await app.listen({ host: '127.0.0.1', port: 0 }),
    host,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
      await host.close();
    },
  };
}
