import { postList, userList } from '@meridian/contract';
import { samplePosts, sampleUser } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

test.describe('the scroll position', () => {
  test.use({ viewport: { width: 640, height: 450 } });

  // The rows must be there when the page is first drawn, which only the scripted server ensures.
  test('belongs to one page, and is kept for a reload', async ({ page, standIn }) => {
    const users = Array.from({ length: 20 }, () => sampleUser());
    standIn
      .on(userList, { body: { users, total: 20 } })
      .on(postList, { body: { posts: samplePosts(20), total: 45 } });
    await visit(page, standIn, '/posts');
    await expect(page.getByRole('row')).toHaveCount(21);
    await page.evaluate(() => scrollTo(0, 900));
    await page.reload();
    await expect(page.getByRole('row')).toHaveCount(21);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(900);
    await page.goto(`${standIn.url}/users`);
    await expect(page.getByRole('row')).toHaveCount(21);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
});
