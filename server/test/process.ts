import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnswerOf, BodyInput, Endpoint, QueryInput } from '@meridian/contract/endpoint';
import { authLogin, authMe } from '@meridian/contract/auth';
import type { Closers } from '../src/background-task.ts';
import { COMPILED_ONCE } from './compiled-once.ts';

const MAIN = join(import.meta.dirname, '../src/main.ts');
const FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50'];
/** Bounds a start that hangs, on a machine of any speed. */
const START_LIMIT_MS = 300_000;

export const ADMIN = { username: 'admin', password: 'correct-horse-battery-staple' } as const;

type CallInput<E extends Endpoint> = {
  params?: Record<string, string>;
  query?: QueryInput<E>;
  body?: BodyInput<E>;
};

/** The real thing in a process of its own, as `npm start` runs it. */
export class ServerProcess {
  readonly url: string;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  readonly #output: () => string;
  #token: Promise<string> | null = null;

  private constructor(url: string, { child, ended, output }: ReturnType<typeof run>) {
    this.url = url;
    this.#output = output;
    this.pid = child.pid ?? 0;
    this.#child = child;
    this.#ended = ended;
  }

  /** Resolves when it listens; rejects with everything it said when it ends instead. */
  static async start(env: Record<string, string>): Promise<ServerProcess> {
    const running = run(env);
    const { child, ended, output } = running;
    const url = await new Promise<string>((resolve, reject) => {
      const limit = setTimeout(() => {
        // Else it would go on without anybody who knows of it.
        child.kill('SIGKILL');
        reject(new Error(`No address yet:\n${output()}`));
      }, START_LIMIT_MS);
      child.stdout?.on('data', () => {
        const address = /Address\s+(http:\/\/\S+)/.exec(output())?.[1];
        if (address === undefined) return;
        clearTimeout(limit);
        resolve(address);
      });
      void ended.then((code) => {
        clearTimeout(limit);
        reject(new Error(`Ended with ${code}:\n${output()}`));
      });
    });
    return new ServerProcess(url, running);
  }

  /** Everything it said so far, its log included. */
  get output(): string {
    return this.#output();
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Asks it to stop and waits; returns its exit code. */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.#ended;
  }

  /** Ends it as a power switch would. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Goes on with a session that an earlier process on the same database opened. */
  continueSession(token: string): this {
    this.#token = Promise.resolve(token);
    return this;
  }

  /** A live token of the first administrator: the same one, unless its session has ended. */
  async token(): Promise<string> {
    await this.call(authMe);
    return this.#signedIn();
  }

  #signedIn(): Promise<string> {
    this.#token ??= this.call(authLogin, { body: ADMIN }).then(({ token }) => token);
    return this.#token;
  }

  /** Makes a call of the contract; throws when it is refused. */
  async call<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<AnswerOf<E>> {
    const response = await this.send(endpoint, input);
    if (!response.ok)
      throw new Error(`${endpoint.name}: ${response.status} ${await response.text()}`);
    // Serialised by the very schema that this type is taken from.
    return (await response.json()) as AnswerOf<E>;
  }

  /**
   * Makes a call of the contract, whatever the answer is. Signs in anew where the session has ended:
   * an administrator has ten, and the first of them goes when tests open more.
   */
  async send<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<Response> {
    const response = await this.#sendOnce(endpoint, input);
    if (endpoint.credential === 'none' || response.status !== 401) return response;
    this.#token = null;
    return this.#sendOnce(endpoint, input);
  }

  async #sendOnce<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Response> {
    const route = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(input.params?.[name] ?? ''),
    );
    const url = new URL(route, this.url);
    for (const [name, value] of Object.entries<unknown>(input.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, textOf(value));
    }
    return fetch(url, {
      method: endpoint.method,
      headers: {
        ...(input.body !== undefined && { 'content-type': 'application/json' }),
        ...(endpoint.credential === 'bearer' && {
          authorization: `Bearer ${await this.#signedIn()}`,
        }),
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    });
  }
}

/** A start that is meant to fail: how it ended and what it said. */
export async function failedStart(
  env: Record<string, string>,
): Promise<{ code: number | null; stderr: string }> {
  const { child, ended, errors } = run(env);
  // One that starts after all would outlive the test.
  const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  const code = await ended;
  clearTimeout(limit);
  return { code, stderr: errors() };
}

/** An empty folder that the database's own account can pass through; `closers` remove it. */
export async function makeDataDir(closers?: Closers): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-process-'));
  await chmod(folder, 0o755);
  closers?.add(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [...FLAGS, MAIN], {
    env: {
      PATH: process.env['PATH'],
      ...COMPILED_ONCE,
      PORT: '0',
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      LOG_LEVEL: 'warn',
      // Tests sign in and call far more often than people do, all from one address.
      LOGIN_ATTEMPTS_PER_NETWORK: '10000',
      SESSION_RATE_LIMIT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'close').then(() => child.exitCode);
  return { child, ended, output: () => output + errors, errors: () => errors };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
