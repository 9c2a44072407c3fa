import { plainRead, type Read } from './components/navigation/reads.ts';
import { currencyEditReads } from './pages/currencies/currency-reads.ts';
import { dashboardReads } from './pages/dashboard/dashboard-reads.ts';
import { planCreateReads, planEditReads, plansReads } from './pages/plans/plan-reads.ts';
import { postReads, postsReads } from './pages/posts/post-reads.ts';
import { settingsReads } from './pages/settings/settings-reads.ts';
import { ticketIssueReads, ticketReads, ticketsReads } from './pages/tickets/ticket-reads.ts';
import { userReads, usersReads } from './pages/users/user-reads.ts';

/*
 * What each screen begins by asking for. Imported as `reads.ts?built`, this file runs when the
 * console is built and leaves plain data behind: the entry script can send the calls without
 * carrying the contract's schemas, which are most of a screen's weight.
 */

const plain = (reads: readonly Read[]) => reads.map(plainRead);

export const READS = {
  dashboard: plain(dashboardReads),
  users: plain(usersReads),
  user: plain(userReads),
  posts: plain(postsReads),
  post: plain(postReads),
  tickets: plain(ticketsReads),
  ticketIssue: plain(ticketIssueReads),
  ticket: plain(ticketReads),
  plans: plain(plansReads),
  planCreate: plain(planCreateReads),
  planEdit: plain(planEditReads),
  settings: plain(settingsReads),
  currencyEdit: plain(currencyEditReads),
};
