import { postList } from '@meridian/contract/posts';
import { startMeridian } from './support/meridian.ts';
import { expect, rememberToken, test } from './support/test.ts';

/** From the start of the server on an empty folder; what is seen later would lose a newcomer. */
const PATIENCE_MS = 30_000;

test('the first posts go out while a newcomer looks on, without a click', async ({
  page,
  context,
}) => {
  test.slow();
  const { meridian, stop } = await startMeridian();
  try {
    const token = await meridian.token();
    const query = 'status=PENDING&sort=scheduled_at&order=asc&limit=1';
    const response = await fetch(`${meridian.url}${postList.path}?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const [first] = postList.answer.parse(await response.json()).posts;
    if (first === undefined) throw new Error('No post is pending');

    await rememberToken(page, token);
    await page.goto(`${meridian.url}/posts/${first.id}`);
    await expect(page.getByRole('link', { name: 'View on Bluesky' })).toBeVisible({
      timeout: PATIENCE_MS,
    });
    await expect(
      page.getByRole('main').getByText('Completed', { exact: true }).first(),
    ).toBeVisible();

    const timeline = await context.newPage();
    await timeline.goto(`${meridian.url}/local-network/`);
    await expect(timeline.getByText('Local network: nothing leaves this machine')).toBeVisible();
    const words = first.content.split(/\s+/).slice(0, 3).join(' ');
    await expect(timeline.getByRole('article').filter({ hasText: words }).first()).toBeVisible();
  } finally {
    await stop();
  }
});
