import { authLogin, currencyList, planList, ticketList } from '@meridian/contract';
import { endSessionAtCall } from './support/end-session.ts';
import { TYPED_FORMS } from './support/forms.ts';
import { ADMIN } from './support/meridian.ts';
import type { Meridian } from './support/meridian.ts';
import { withoutEvents } from './support/open-requests.ts';
import { everyRound, ROUNDS_TIMEOUT_MS } from './support/rounds.ts';
import { expect, rememberToken, test } from './support/test.ts';
import { storedToken } from './support/token.ts';

/** Everything that one of these forms could have changed. */
async function contents(meridian: Meridian) {
  const [plans, tickets, currencies] = await Promise.all([
    meridian.call(planList),
    meridian.call(ticketList),
    meridian.call(currencyList),
  ]);
  return { plans, tickets, currencies };
}

for (const form of TYPED_FORMS) {
  test(`${form.name} after the session has ended leads to the login and writes nothing`, async ({
    context,
    visitor: { meridian },
    catalogue,
  }) => {
    test.setTimeout(ROUNDS_TIMEOUT_MS);
    const { id: planId } = await catalogue.plan();
    const { id: currencyId } = await catalogue.currency({ code: 'chf' });
    const path = form.path({ planId, currencyId, userId: '', postId: '', ticketId: '' });
    await everyRound(async () => {
      const page = await context.newPage();
      const { token } = await meridian.call(authLogin, { body: ADMIN });
      await rememberToken(page, token);
      // It would notice the end of the session by itself.
      await withoutEvents(page);
      await page.goto(meridian.url + path);
      await form.fill(page);
      const before = await contents(meridian);
      await endSessionAtCall(page, { url: meridian.url, token });
      await form.submit(page).click();
      await expect(page).toHaveURL(`${meridian.url}/login`);
      await expect(page.getByRole('status')).toHaveText(
        'Your session has ended. Please log in again.',
      );
      expect(await storedToken(page)).toBeNull();
      expect(await contents(meridian)).toEqual(before);
      // Nor was the password changed.
      await meridian.call(authLogin, { body: ADMIN });
      await page.close();
    });
  });
}
