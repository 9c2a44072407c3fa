import { setImmediate as breathe } from 'node:timers/promises';
import { inParallel } from '../objects/in-parallel.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { AWKWARD_PICTURES } from './awkward-posts.ts';
import { avatarKey, drawAvatar } from './images/avatar-files.ts';
import { CARD_PREVIEWS, drawPicture, UPLOADS } from './images/pictures.ts';
import { encodePng } from './images/png.ts';
import type { Raster } from './images/raster.ts';
import type { DemoUser } from './users.ts';

const AT_ONCE = 12;

type File = { key: string; draw: () => Raster };

/** Draws and stores every picture that users and posts refer to. */
export async function storeFiles(store: ObjectStore, users: readonly DemoUser[]): Promise<number> {
  const pictures = [...UPLOADS, ...Object.values(CARD_PREVIEWS).flat(), ...AWKWARD_PICTURES];
  const files: File[] = [
    ...pictures.map((picture) => ({ key: picture.key, draw: () => drawPicture(picture) })),
    ...users.flatMap(({ row, portrait }) =>
      portrait === null
        ? []
        : [{ key: avatarKey(row.id), draw: () => drawAvatar(row.handle, portrait) }],
    ),
  ];
  await inParallel(files, AT_ONCE, async ({ key, draw }) => {
    // Drawing keeps the thread busy; in between others get their turn.
    await breathe();
    await store.put(key, await encodePng(draw()));
  });
  return files.length;
}
