import { expect, test } from 'vitest';
import { undrawnOf } from './embed.ts';

test.each([
  [null, []],
  [{ images: [] }, []],
  [{ external: {} }, []],
  [{ external: { uri: 'https://harbour.example/' } }, []],
  [{ uri: 'https://harbour.example/', title: 'Harbour' }, []],
  [{ uri: 'javascript:alert(1)' }, ['Refused link target of the link card: javascript:alert(1)']],
  [
    { external: { uri: 'javascript:alert(1)' } },
    ['Refused link target of the link card: javascript:alert(1)'],
  ],
  [{ $type: 'app.bsky.embed.video', alt: 'A boat' }, ['Video, not shown here: A boat']],
  [{ video: { ref: {} } }, ['Video, not shown here']],
  [
    { $type: 'app.bsky.embed.record', record: { uri: 'at://did:plc:abc/x/1' } },
    ['Quoted post, not shown here: at://did:plc:abc/x/1'],
  ],
  [
    {
      $type: 'app.bsky.embed.recordWithMedia',
      record: { record: { uri: 'at://did:plc:abc/x/1' } },
      media: { $type: 'app.bsky.embed.video#view' },
    },
    ['Quoted post, not shown here: at://did:plc:abc/x/1', 'Video, not shown here'],
  ],
  [{ $type: 'x.y.z' }, ['Unknown embed, not shown here: x.y.z']],
  ['nonsense', ['Unknown embed, not shown here']],
  [
    { images: Array.from({ length: 30 }, () => null) },
    ['Only the first 20 of 30 images are shown'],
  ],
])('of the embed %j is not drawn: %j', (embed, notes) => {
  expect(undrawnOf(embed)).toEqual(notes);
});
