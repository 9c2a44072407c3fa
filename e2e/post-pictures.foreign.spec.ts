import { authMe, postGet } from '@meridian/contract';
import { watchForeignHosts } from './support/foreign-hosts.ts';
import { startFront } from './support/front.ts';
import { previewOf } from './support/post-page.ts';
import { ME, samplePost } from './support/samples.ts';
import { expect, rememberToken, test } from './support/test.ts';

test('in front of another service keys are loaded from CDN_BASE_URL, cached previews too', async ({
  page,
  standIn,
}) => {
  const embed = {
    images: [{ key: 'uploads/a photo.png', alt: 'By its key' }],
    external: { uri: 'https://menu.example.test/', title: 'Menu', thumb: 'ogp-cache/ab/1.webp' },
  };
  const post = samplePost({ embed });
  standIn.on(authMe, { body: ME }).on(postGet, { body: { post } });
  const front = await startFront(standIn, { CDN_BASE_URL: 'https://cdn.product.test/assets' });
  try {
    await rememberToken(page, 'a-token');
    const requests = await watchForeignHosts(page, front.url);
    await page.goto(`${front.url}/posts/${post.id}`);
    const preview = previewOf(page);
    await expect(preview.getByRole('img', { name: 'By its key' })).toHaveJSProperty(
      'naturalWidth',
      1,
    );
    await expect(preview.getByRole('article').locator('img')).toHaveJSProperty('naturalWidth', 1);
    expect(requests.map(({ url }) => url).toSorted()).toEqual([
      'https://cdn.product.test/assets/ogp-cache/ab/1.webp',
      'https://cdn.product.test/assets/uploads/a%20photo.png',
    ]);
  } finally {
    await front.close();
  }
});
