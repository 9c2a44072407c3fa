import { authLogin } from '@meridian/contract';
import type { Endpoint } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { recordCalls, isCallTo } from './calls.ts';
import type { Call } from './calls.ts';
import { gate } from './gate.ts';
import { ADMIN } from './meridian.ts';
import type { Meridian } from './meridian.ts';
import type { Rows } from './rows.ts';
import { rememberToken } from './token.ts';

/** The console on the real server, with a database that holds nothing but what the test writes. */
export class App {
  readonly url: string;
  readonly rows: Rows;
  readonly meridian: Meridian;
  readonly calls: Call[];
  readonly #page: Page;

  constructor(page: Page, { meridian, rows }: { meridian: Meridian; rows: Rows }) {
    this.#page = page;
    this.url = meridian.url;
    this.rows = rows;
    this.meridian = meridian;
    this.calls = recordCalls(page.context());
  }

  /** Signs the browser in as an administrator of this test's own. Returns the token. */
  async signInAs(username: string, displayName: string | null): Promise<string> {
    const token = await this.sessionOf(username, displayName);
    await rememberToken(this.#page, token);
    return token;
  }

  /** Another session of an administrator, who is added when new. Returns the token. */
  async sessionOf(username: string, displayName: string | null): Promise<string> {
    await this.rows.administrator(username, displayName);
    const body = { username, password: ADMIN.password };
    return (await this.meridian.call(authLogin, { body })).token;
  }

  async open(path: string): Promise<void> {
    await this.#page.goto(this.url + path);
  }

  /** The calls that the console made to one endpoint, in order. */
  callsTo(endpoint: Pick<Endpoint, 'name'>): Call[] {
    return this.calls.filter((call) => call.endpoint === endpoint.name);
  }

  /** The addresses that the console read of one endpoint, each once, however often it read them. */
  addressesOf(endpoint: Pick<Endpoint, 'name'>): string[] {
    return [...new Set(this.callsTo(endpoint).map(({ url }) => url))];
  }

  /** From now on requests to this endpoint wait on their way to the server until `release`. */
  async hold(endpoint: Endpoint): Promise<{ release: () => void }> {
    const { opened, open } = gate();
    const isHeld = isCallTo(endpoint);
    await this.#page.route('**/api/admin/**', async (route) => {
      if (!isHeld(route.request())) return route.fallback();
      await opened;
      // The page may have been closed meanwhile.
      return route.continue().catch(() => {});
    });
    return { release: open };
  }
}
