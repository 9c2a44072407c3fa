import { sql } from '../../server/src/db/sql.ts';
import { pushAddress } from '../support/navigate.ts';
import { PostsBySql } from '../support/posts-by-sql.ts';
import { openListBySql, shownIds } from '../support/posts-list.ts';
import { timed } from '../support/screen-times.ts';
import { AMONG_MANY } from '../support/story-posts.ts';
import { expect, test } from '../support/test.ts';

const DAY_MS = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const between = (from: number, to: number) =>
  new URLSearchParams({ from: daysFromNow(from), to: daysFromNow(to) }).toString();

type Published = {
  id: string;
  user_id: string;
  handle: string;
  did: string;
  at_uri: string;
  at_rkey: string;
};

test(
  'Find anything: whatever is pasted into the palette, it lands on the object',
  AMONG_MANY,
  async ({ page, app, catalogue }) => {
    const [post] = await app.rows.select<Published>(sql`
    select p.id, p.user_id, u.handle, u.did, p.at_uri, p.at_rkey
    from posts p join users u on u.id = p.user_id
    where p.status = 'COMPLETED' and p.scheduled_at < now() - interval '100 days'
    order by p.scheduled_at desc limit 1`);
    if (post === undefined) throw new Error('No post was published');
    const ticket = await catalogue.ticket();
    const user = `/users/${post.user_id}`;
    const found: [what: string, text: string, path: string][] = [
      ['a handle', post.handle, user],
      ['a DID', post.did, user],
      ['an AT URI', post.at_uri, `/posts/${post.id}`],
      [
        'a bsky.app address',
        `https://bsky.app/profile/${post.did}/post/${post.at_rkey}`,
        `/posts/${post.id}`,
      ],
      ['the id of a post', post.id, `/posts/${post.id}`],
      ['the id of a user', post.user_id, user],
      ['a ticket code', ticket.code.replaceAll('-', '').toLowerCase(), `/tickets/${ticket.id}`],
    ];
    for (const [what, text, path] of found) {
      await app.open('/plans');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Find anything' });
      await expect(field).toBeFocused();
      await timed(`Find anything: ${what}`, async () => {
        await field.fill(text);
        const group = page.getByRole('group', { name: 'Found' });
        await expect(group.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
      });
      await page.keyboard.press('Enter');
      await expect(page, what).toHaveURL(app.url + path);
    }
  },
);

test(
  'Find anything: every filter of the posts finds what the database finds',
  AMONG_MANY,
  async ({ page, app }) => {
    const [busiest] = await app.rows.select<{ id: string; part: string; word: string }>(sql`
    select u.id, substr(u.handle, 1, 8) as part,
      (select substring(content from '[[:alpha:]]+') from posts
       where user_id = u.id and content ~ '[[:alpha:]]' limit 1) as word
    from users u join user_post_counters c on c.user_id = u.id
    order by c.completed desc, u.id limit 1`);
    if (busiest === undefined) throw new Error('There is no user');
    await app.rows.execute(sql`
    update posts set hold = 'user_off', claim_at = 'infinity' where id in (
      select id from posts where status = 'PENDING' and scheduled_at > now() + interval '3 days'
      order by id limit 25)`);
    const lists: [screen: string, query: string][] = [
      ['a day', between(-40, -39)],
      ['failures scheduled within a week', `status=FAILED&${between(-9, -2)}`],
      ['pending posts, the next ones first', `status=PENDING&${between(1, 40)}&order=asc`],
      ['a cause of more than 1,000', 'cause=reconnect'],
      ['an unknown cause', 'cause=unknown'],
      ['an owner', 'owner=network'],
      ['a cause and a week', `cause=host_slow&${between(-9, -2)}`],
      ['a hold', 'hold=user_off'],
      ['a person', `userId=${busiest.id}`],
      ['a part of a handle', `userFilter=${busiest.part}`],
      ['a text of a person', `userId=${busiest.id}&text=${encodeURIComponent(busiest.word)}`],
      ['a text of a month', `${between(-60, -30)}&text=harbour`],
    ];
    await app.open('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const [screen, query] of lists) {
      const address = `/posts?${query}`;
      await openListBySql(page, app, { screen: `Find anything: posts by ${screen}`, address });
    }

    const count = await app.rows.count(sql`
    from users
    where strpos(lower(handle), 'mar') > 0 or strpos(did, 'mar') > 0
      or strpos(lower(display_name), 'mar') > 0`);
    await pushAddress(page, '/users');
    await expect(page.getByRole('row')).toHaveCount(21);
    await timed('Find anything: users by a part of a name', async () => {
      await page.getByRole('searchbox', { name: 'Handle, DID or name' }).fill('mar');
      const words = `${count.toLocaleString('en-GB')} users`;
      await expect(page.getByText(words, { exact: true })).toBeVisible();
    });
  },
);

test(
  'Find anything: next and previous go along the list one came from, over the end of a page',
  AMONG_MANY,
  async ({ page, app }) => {
    const address = `/posts?status=FAILED&${between(-300, -2)}`;
    await app.open('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await openListBySql(page, app, {
      screen: 'Find anything: failures of most of a year',
      address,
    });
    const ids = await new PostsBySql(app.rows, address).ids(23);
    const [shown] = (await shownIds(page)).slice(18);
    expect(shown).toBe(ids[18]);
    await page.locator(`a[href="/posts/${shown}"]`).click();
    const next = page.getByRole('button', { name: 'Next in the list' });
    for (const id of ids.slice(19, 23)) {
      await expect(next).toBeEnabled();
      await timed('Find anything: the next of the list', async () => {
        await page.keyboard.press('j');
        await expect(page).toHaveURL(`${app.url}/posts/${id}`);
        await expect(page.getByRole('region', { name: 'Information' })).toContainText(id);
      });
    }
    for (const id of ids.slice(19, 22).toReversed()) {
      await expect(page.getByRole('button', { name: 'Previous in the list' })).toBeEnabled();
      await page.keyboard.press('k');
      await expect(page).toHaveURL(`${app.url}/posts/${id}`);
      await expect(page.getByRole('region', { name: 'Information' })).toContainText(id);
    }
    await page.goBack();
    await expect(page).toHaveURL(app.url + address);
  },
);
