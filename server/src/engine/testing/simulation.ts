import { once } from 'node:events';
import { DatabaseUnavailable } from '../../db/errors.ts';
import { createLog } from '../../log.ts';
import { recordKey } from '../../network/identity.ts';
import type { Network, NetworkResponse, RecordWrite } from '../../network/network.ts';
import type { ClaimedPost } from '../claim.ts';
import { createDelivery } from '../deliver.ts';
import type { DeliveryOptions } from '../deliver.ts';
import type { Entry, Journalled } from '../journal.ts';
import type { Published, Unpublished } from '../settle.ts';
import { createPostsInHand } from '../switches.ts';
import { responded, silent } from './responses.ts';

/** Faults of an engine, each of which some schedule has to show. */
export const PLANTS = [
  'a key that is given at sending',
  'a settlement without fencing',
  'a retry after the deadline',
  'a post that is sent before its time',
  'a lease that is not renewed',
  'a claim that looks ahead of a lease',
] as const;
export type Plant = (typeof PLANTS)[number];

export type Broken = { seed: number; promise: string };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const START = Date.UTC(2026, 0, 1);
const OPTIONS = {
  concurrency: 8,
  hostConcurrency: 8,
  hostPerSecond: Infinity,
  egress: 'simulated',
  lookaheadMs: 1_500,
  lateLimitMs: 60 * MINUTE,
  retryWindowMs: 10 * MINUTE,
};
/** The second is little more than a claim looks ahead. */
const LEASES = {
  usual: { leaseMs: 15 * SECOND, renewalMs: 4 * SECOND },
  short: { leaseMs: 2 * SECOND, renewalMs: 700 },
} as const;
const CALL_MS = 30 * SECOND;
/** Heartbeats tell a worker the database's time. */
const HEARTBEAT_MS = 5 * SECOND;
/** An attempt that began before the deadline may arrive this long after it. */
const SLACK_MS = 3 * MINUTE;
const PATIENCE_MS = 4 * 60 * MINUTE;
/** So many schedules run side by side, so that they share the turns of the event loop. */
const SIDE_BY_SIDE = 1_000;

const ACCOUNT = { userId: 'user', did: 'did:plc:simulated', host: 'https://host.test' };
const log = createLog('silent');
const unavailable = new DatabaseUnavailable(null);

/** Runs schedules from a seed on, and returns the first that breaks a promise; its seed repeats it. */
export async function simulate(
  firstSeed: number,
  count: number,
  plant: Plant | null = null,
): Promise<Broken | null> {
  const last = firstSeed + count;
  let seed = firstSeed;
  const running: Schedule[] = [];
  do {
    while (seed < last && running.length < SIDE_BY_SIDE) running.push(new Schedule(seed++, plant));
    let left = 0;
    for (const schedule of running) {
      schedule.step();
      if (schedule.promise !== null) return { seed: schedule.seed, promise: schedule.promise };
      if (!schedule.isOver) running[left++] = schedule;
    }
    running.length = left;
    // Everything that an event has set going comes to its next wait.
    await new Promise((resolve) => setImmediate(resolve));
  } while (running.length > 0);
  return null;
}

type Row = {
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';
  outcome: string | null;
  claimAt: number;
  attempt: number;
  hold: string | null;
  cause: ClaimedPost['previousCause'];
  journal: { writes: RecordWrite[]; journalledAt: number; unsentThrough: number } | null;
  attempts: { attempt: number; startedAt: number; endedAt: number; cause: string }[];
};

type Worker = {
  deliver: ReturnType<typeof createDelivery>;
  inHand: ReturnType<typeof createPostsInHand>;
  stopping: AbortController;
  isDead: boolean;
  pausedUntil: number;
  /** When it last knew the switches, as far as that is not all the time. */
  knewAt: number;
  isTakenBack: boolean;
  /** The distance of the database's clock from the true time, as far as it knows. */
  offset: number;
  calls: number;
};

/** One post, a model of the database and of a host, and two workers whose deliveries are the real ones. */
class Schedule {
  readonly seed: number;
  readonly #plant: Plant | null;
  #random: number;
  /** The true time, which nobody knows. */
  #now = START;
  readonly #events: { at: number; fire: () => void }[] = [];
  promise: string | null = null;
  isOver = false;

  readonly #id: string;
  readonly #rkeys: string[];
  readonly #dueAt = START + 20 * SECOND;
  #row: Row;
  #dbOffset = 0;
  #steppedAt = -Infinity;
  #isDbDown = false;
  #downSince = Infinity;
  #restoredAt: number | null = null;
  #claimsAt = 0;
  readonly #workers: Worker[] = [];
  #planned = 0;

  readonly #records = new Map<string, { cid: string; value: RecordWrite['record'] }>();
  readonly #keys = new Set<string>();
  #firstArrival = Infinity;
  #isDeleted = false;
  #isHostDown = false;
  readonly #lease: (typeof LEASES)[keyof typeof LEASES];
  readonly #isThread: boolean;
  readonly #isRefused: boolean;
  readonly #faults: number;
  /** Nothing but the host's responses goes wrong. */
  #isCalm = true;

  constructor(seed: number, plant: Plant | null) {
    this.seed = seed;
    this.#plant = plant;
    this.#random = seed;
    this.#id = `01234567-89ab-7def-8000-${seed.toString(16).padStart(12, '0').slice(-12)}`;
    this.#row = {
      status: 'PENDING',
      outcome: null,
      claimAt: this.#dueAt,
      attempt: 0,
      hold: null,
      cause: null,
      journal: null,
      attempts: [],
    };
    this.#lease = this.#chance(0.2) ? LEASES.short : LEASES.usual;
    this.#isThread = this.#chance(0.2);
    this.#rkeys = (this.#isThread ? [0, 1] : [0]).map((part) => recordKey(this.#id, part));
    this.#isRefused = this.#chance(0.05);
    this.#faults = this.#chance(0.5) ? this.#between(0, 0.6) : 0;
    this.#addWorker();
    this.#addWorker();
    this.#addTroubles();
    this.#planClaims();
  }

  /** The next event, at its time. */
  step(): void {
    const event = this.#events.pop();
    if (event === undefined) return this.#end();
    this.#now = Math.max(this.#now, event.at);
    if (this.#now > START + PATIENCE_MS) return this.#break('a post ends');
    event.fire();
  }

  #end(): void {
    this.isOver = true;
    const { status, outcome } = this.#row;
    const wasPublic = this.#keys.size > 0;
    if (status === 'PENDING' || status === 'PROCESSING') this.#break('a post ends');
    else if (status === 'COMPLETED' && !wasPublic) this.#break('what is completed is public');
    else if (status === 'FAILED' && outcome === 'refused' && wasPublic) {
      this.#break('what was refused is not public');
    }
  }

  #break(promise: string): void {
    this.promise ??= promise;
    this.isOver = true;
  }

  // Chance and time.

  #next(): number {
    this.#random = (this.#random + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#random ^ (this.#random >>> 15), this.#random | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  #chance(part: number): boolean {
    return this.#next() < part;
  }

  #between(from: number, to: number): number {
    return from + this.#next() * (to - from);
  }

  #at(at: number, fire: () => void): void {
    // The latest comes first, so that the next event is the last one.
    let index = this.#events.length;
    while (index > 0 && (this.#events[index - 1]?.at ?? Infinity) <= at) index -= 1;
    this.#events.splice(index, 0, { at, fire });
  }

  #sleep(worker: Worker, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        if (worker.isDead) return;
        if (this.#now < worker.pausedUntil) this.#at(worker.pausedUntil, wake);
        else resolve();
      };
      this.#at(this.#now + ms, wake);
    });
  }

  #dbNow(): number {
    return this.#now + this.#dbOffset;
  }

  // Troubles.

  #addTroubles(): void {
    /** Most of them around the time of the post. */
    const soon = () => this.#dueAt + this.#between(-3, 20) * SECOND;
    if (this.#chance(0.3)) this.#trouble(soon(), () => this.#kill());
    if (this.#chance(0.1))
      this.#trouble(soon() + this.#between(0, 60) * SECOND, () => this.#kill());
    if (this.#chance(0.25)) this.#trouble(soon(), () => this.#pauseOne());
    if (this.#chance(0.15)) this.#trouble(soon(), () => this.#cutDatabase());
    if (this.#chance(0.15)) this.#addRestore(soon());
    if (this.#chance(0.15)) this.#trouble(soon(), () => this.#stepClock());
    if (this.#chance(0.2)) this.#at(soon(), () => this.#cutHost());
    if (this.#chance(0.2))
      this.#at(this.#dueAt + this.#between(1, 12) * MINUTE, () => this.#delete());
  }

  #trouble(at: number, fire: () => void): void {
    this.#isCalm = false;
    this.#at(at, fire);
  }

  #kill(): void {
    const worker = this.#anyWorker();
    if (worker === undefined) return;
    worker.isDead = true;
    this.#at(this.#now + this.#between(1, 30) * SECOND, () => {
      this.#addWorker();
      this.#planClaims();
    });
  }

  #pauseOne(): void {
    const worker = this.#anyWorker();
    if (worker === undefined) return;
    worker.knewAt = this.#now;
    worker.pausedUntil = this.#now + this.#between(1, 60) * SECOND;
  }

  #cutDatabase(): void {
    this.#isDbDown = true;
    this.#downSince = this.#now;
    this.#at(this.#now + this.#between(1, 60) * SECOND, () => {
      this.#isDbDown = false;
      this.#downSince = Infinity;
      this.#planClaims();
    });
  }

  /** A standby takes over that is some seconds behind: what was committed since is lost. */
  #addRestore(at: number): void {
    this.#isCalm = false;
    let copy: Row | null = null;
    this.#at(at - this.#between(0, 6) * SECOND, () => {
      const { journal, attempts } = this.#row;
      copy = { ...this.#row, journal: journal && { ...journal }, attempts: [...attempts] };
    });
    this.#at(at, () => {
      if (copy === null) return;
      this.#row = copy;
      this.#restoredAt = this.#dbNow();
      this.#claimsAt = this.#now + this.#between(0, 1) * HEARTBEAT_MS;
      this.#at(this.#claimsAt, () => this.#planClaims());
    });
  }

  #stepClock(): void {
    this.#dbOffset += this.#between(-3, 3) * SECOND;
    this.#steppedAt = this.#now;
    for (const worker of this.#workers) {
      this.#at(this.#now + this.#between(0, HEARTBEAT_MS), () => {
        worker.offset = this.#dbOffset;
      });
    }
    this.#planClaims();
  }

  #cutHost(): void {
    this.#isHostDown = true;
    const minutes = this.#chance(0.5) ? this.#between(0, 1) : this.#between(1, 20);
    this.#at(this.#now + minutes * MINUTE, () => {
      this.#isHostDown = false;
    });
  }

  /** The author deletes the post on the network. */
  #delete(): void {
    if (this.#records.size === 0) return;
    this.#isDeleted = true;
    this.#records.clear();
  }

  // Workers.

  #anyWorker(): Worker | undefined {
    const alive = this.#workers.filter(({ isDead }) => !isDead);
    return alive[Math.floor(this.#next() * alive.length)];
  }

  #addWorker(): void {
    const stopping = new AbortController();
    const inHand = createPostsInHand({
      switches: { hold: () => {}, letGo: () => {} },
      now: () => this.#now,
      log,
      most: 100,
      onRoom: () => {},
    });
    const worker: Worker = {
      deliver: createDelivery(this.#engine(() => worker, stopping.signal)),
      inHand,
      stopping,
      isDead: false,
      pausedUntil: 0,
      knewAt: Infinity,
      isTakenBack: false,
      offset: this.#dbOffset,
      calls: 0,
    };
    this.#workers.push(worker);
  }

  #engine(me: () => Worker, stopping: AbortSignal): DeliveryOptions {
    const network: Pick<Network, 'putRecord' | 'applyWrites' | 'getRecord' | 'refreshSession'> = {
      putRecord: (_, write) => this.#call(me(), () => this.#put(write)),
      applyWrites: (_, writes) => this.#call(me(), () => this.#apply(writes)),
      getRecord: (_host, _repo, rkey) => this.#call(me(), () => this.#get(rkey)),
      refreshSession: async () => {},
    };
    const isLate = this.#plant === 'a retry after the deadline';
    const retryWindowMs = isLate ? 30 * MINUTE : OPTIONS.retryWindowMs;
    const options = { ...OPTIONS, leaseMs: this.#lease.leaseMs, retryWindowMs };
    return {
      network: network as Network, // all that a delivery without pictures calls
      clock: {
        now: () => this.#now + me().offset,
        learn: () => {},
        offMs: () => null,
        until: async (moment) => {
          if (this.#plant === 'a post that is sent before its time') return;
          const leftMs = () => moment - this.#now - me().offset;
          while (leftMs() > 0) await this.#sleep(me(), Math.ceil(leftMs()));
        },
      },
      hosts: {
        enter: async () => ({ kind: 'go', leave: () => {} }),
        takeChanges: () => [],
        close: () => {},
      },
      switches: {
        stopReason: (post) => this.#stopReason(me(), post),
        hold: () => {},
        letGo: () => {},
        poll: async () => {},
        refresh: () => this.#refresh(me()),
        isSuspended: () => false,
        close: async () => {},
      },
      options,
      workerId: 'simulated',
      log,
      stopping,
      prepare: async (post, now) => ({
        kind: 'ready',
        writes: this.#writes(post, now),
        uploads: [],
      }),
      journal: (entry) => this.#ask(me(), () => this.#journal(entry)),
      countFaults: () => this.#ask(me(), () => 0),
      settlePublished: (post) => this.#ask(me(), () => this.#settlePublished(post)),
      settleUnpublished: (post) => this.#ask(me(), () => this.#settleUnpublished(post)),
      disconnect: async () => {},
      random: () => this.#next(),
      onPublished: () => {},
    };
  }

  #writes(post: ClaimedPost, now: number): RecordWrite[] {
    const scheduledAt = post.scheduledAt.getTime();
    const createdAt = new Date(Math.abs(now - scheduledAt) <= MINUTE ? scheduledAt : now);
    return this.#rkeys.map((key, part) => {
      const isLate = this.#plant === 'a key that is given at sending';
      const rkey = isLate ? `key-${this.#next()}` : key;
      const cid = `cid-${createdAt.getTime()}-${part}`;
      const record = {
        $type: 'app.bsky.feed.post',
        text: `Part ${part}`,
        createdAt: createdAt.toISOString(),
      } as const;
      return { rkey, cid, record };
    });
  }

  #stopReason(worker: Worker, { attempt }: { attempt: number }) {
    if (worker.isTakenBack || attempt !== this.#held.get(worker)) return 'taken_back';
    return this.#now - Math.min(worker.knewAt, this.#downSince) > 2 * SECOND ? 'outdated' : null;
  }

  async #refresh(worker: Worker): Promise<void> {
    try {
      await this.#ask(worker, () => {
        worker.knewAt = Infinity;
        const { status, attempt } = this.#row;
        worker.isTakenBack = status !== 'PROCESSING' || attempt !== this.#held.get(worker);
      });
    } catch {
      // The database is down: the worker stays as it is, and sends nothing.
    }
  }

  readonly #held = new Map<Worker, number>();

  /** Plans the next claim of every worker for when the post is due. */
  #planClaims(): void {
    this.#planned += 1;
    const plan = this.#planned;
    if (!['PENDING', 'PROCESSING'].includes(this.#row.status)) return;
    const dueAt = this.#row.claimAt - this.#lookaheadMs() - this.#dbOffset;
    for (const worker of this.#workers) {
      const at = Math.max(this.#now + 20, dueAt, this.#claimsAt) + this.#between(0, 500);
      this.#at(at, () => {
        if (plan === this.#planned && !worker.isDead) void this.#claim(worker);
      });
    }
  }

  #lookaheadMs(): number {
    const isAhead =
      this.#row.status === 'PENDING' || this.#plant === 'a claim that looks ahead of a lease';
    return isAhead ? OPTIONS.lookaheadMs : 0;
  }

  async #claim(worker: Worker): Promise<void> {
    try {
      if (this.#now < worker.pausedUntil) await this.#sleep(worker, 0);
      const claimedAt = this.#now;
      const post = await this.#ask(worker, () => this.#claimed());
      if (post === null) return;
      worker.isTakenBack = false;
      if (worker.knewAt < Infinity) worker.knewAt = this.#now;
      this.#held.set(worker, post.attempt);
      const earlier =
        post.attempt > 1 ? await this.#ask(worker, () => this.#read(post.attempt)) : null;
      worker.inHand.take(post, { claimedAt, work: () => worker.deliver(post, earlier) });
      void this.#renew(worker);
    } catch {
      this.#planClaims();
    }
  }

  async #renew(worker: Worker): Promise<void> {
    const { leaseMs, renewalMs } = this.#lease;
    while (!worker.inHand.isEmpty()) {
      await this.#sleep(worker, renewalMs);
      if (this.#plant === 'a lease that is not renewed') continue;
      await worker.inHand
        .renew(leaseMs, (posts) =>
          this.#ask(worker, () => {
            const [post] = posts;
            if (post === undefined || !this.#isOurs(post.attempt)) return;
            this.#row.claimAt = this.#dbNow() + leaseMs;
            this.#planClaims();
          }),
        )
        .catch(() => {});
    }
  }

  // The database. What is sent to it arrives, also when its sender is dead by then.

  #ask<Result>(worker: Worker, effect: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#at(this.#now + this.#between(0.5, 4), () => {
        const isDown = this.#isDbDown;
        const result = isDown ? null : { of: effect() };
        const isLost = isDown || (!this.#isCalm && this.#chance(0.01));
        void this.#sleep(worker, this.#between(0.5, isDown ? 2_000 : 4)).then(() =>
          isLost || result === null ? reject(unavailable) : resolve(result.of),
        );
      });
    });
  }

  #isOurs(attempt: number): boolean {
    const isFenced = this.#plant !== 'a settlement without fencing';
    return !isFenced || (this.#row.status === 'PROCESSING' && this.#row.attempt === attempt);
  }

  #claimed(): ClaimedPost | null {
    const row = this.#row;
    const now = this.#dbNow();
    const wasPending = row.status === 'PENDING';
    const isOpen = wasPending || row.status === 'PROCESSING';
    if (!isOpen || row.claimAt > now + this.#lookaheadMs() || this.#now < this.#claimsAt)
      return null;
    const isDoubtful = this.#restoredAt !== null && this.#dueAt <= this.#restoredAt;
    const isLate = this.#dueAt < now - OPTIONS.lateLimitMs && row.hold !== 'catch_up';
    const tooLate = isLate && (wasPending || isDoubtful) ? 'limit' : null;
    const isOverdue = wasPending && Math.max(row.claimAt, this.#dueAt) < now - 2 * MINUTE;
    if (isOverdue && tooLate === null) {
      Object.assign(row, { hold: 'catch_up', claimAt: now });
      this.#planClaims();
      return null;
    }
    const post: ClaimedPost = {
      ...ACCOUNT,
      id: this.#id,
      attempt: row.attempt + 1,
      dueAt: wasPending ? Math.max(this.#dueAt, row.claimAt) : row.claimAt,
      scheduledAt: new Date(this.#dueAt),
      wasPending,
      hasTurn: row.hold === 'catch_up',
      isDoubtful,
      tooLate,
      previousCause: row.cause,
      content: 'Part 0',
      facets: null,
      embed: null,
      languages: [],
      replyTo: null,
      thread: null,
    };
    Object.assign(row, {
      status: 'PROCESSING',
      attempt: row.attempt + 1,
      hold: null,
      claimAt: now + this.#lease.leaseMs,
    });
    this.#planClaims();
    return post;
  }

  #journal({ post, writes }: Entry): Journalled | null {
    this.#row.journal ??= {
      writes,
      journalledAt: this.#dbNow(),
      unsentThrough: post.attempt - 1,
    };
    return this.#read(post.attempt);
  }

  #read(attempt: number): Journalled | null {
    const { journal, attempts } = this.#row;
    if (journal === null) return null;
    const { writes, journalledAt, unsentThrough } = journal;
    const started = attempts
      .filter((one) => one.attempt === unsentThrough + 1)
      .map(({ startedAt }) => startedAt);
    const ended = attempts
      .filter((one) => one.attempt <= unsentThrough)
      .map(({ endedAt }) => endedAt);
    const sentAt = started.length > 0 ? Math.min(...started) : Math.max(0, ...ended);
    return {
      postId: this.#id,
      writes,
      journalledAt,
      maybeSent: unsentThrough !== attempt - 1,
      firstSentAt: Math.max(journalledAt, sentAt),
      failures: attempts.length,
      faults: attempts.filter(({ cause }) => cause === 'internal').length,
    };
  }

  #settlePublished({ attempt, outcome }: Published): void {
    const row = this.#row;
    const isOpen = row.status === 'PENDING' || row.status === 'PROCESSING';
    // A post that went out is public, whoever has it now.
    if (!this.#isOurs(attempt) && !isOpen) return;
    Object.assign(row, { status: 'COMPLETED', outcome, hold: null });
    this.#planClaims();
  }

  #settleUnpublished(post: Unpublished): void {
    const row = this.#row;
    const { attempt, status, next, hold, cause, outcome, isUnsent, call } = post;
    if (!this.#isOurs(attempt)) return;
    const { journal } = row;
    if (journal !== null && isUnsent && journal.unsentThrough === attempt - 1) {
      if (status === 'PENDING') row.journal = null;
      else journal.unsentThrough = attempt;
    }
    if (call !== null && !row.attempts.some((one) => one.attempt === attempt)) {
      const { startedAt, endedAt } = call;
      row.attempts.push({ attempt, startedAt, endedAt, cause: cause ?? 'internal' });
    }
    const now = this.#dbNow();
    const claimAt =
      next === 'planned' ? this.#dueAt : typeof next === 'object' ? now + next.inMs : Infinity;
    // A hold of this model ends by itself.
    const held = status === 'FAILED' || claimAt < Infinity ? claimAt : now + MINUTE;
    if (row.status === 'COMPLETED') this.#break('what is completed stays so');
    Object.assign(row, { status, outcome, hold, cause, claimAt: held });
    this.#planClaims();
  }

  // The host.

  #call(worker: Worker, carryOut: () => NetworkResponse): Promise<NetworkResponse> {
    const others = this.#workers.filter((one) => one !== worker && !one.isDead && one.calls > 0);
    if (this.#isCalm && others.length > 0) this.#break('one worker at a time has a post');
    worker.calls += 1;
    return new Promise((resolve) => {
      const respond = (ms: number, response: NetworkResponse) =>
        void this.#sleep(worker, ms).then(() => {
          worker.calls -= 1;
          resolve(response);
        });
      if (this.#isHostDown) {
        respond(20, silent('unreachable'));
        return;
      }
      const isFault = this.#chance(this.#faults);
      const isSlow = this.#chance(isFault ? 0.4 : 0.03);
      const travelMs = isSlow ? this.#between(1, 40) * SECOND : this.#between(1, 60);
      const fate = isFault ? Math.floor(this.#between(0, 5)) : null;
      this.#at(this.#now + travelMs, () => {
        const response = this.#responseOf(fate, carryOut);
        if (travelMs <= CALL_MS) respond(this.#between(1, 60), response);
      });
      if (travelMs > CALL_MS) respond(CALL_MS, silent('timeout'));
    });
  }

  #responseOf(fate: number | null, carryOut: () => NetworkResponse): NetworkResponse {
    if (fate === 0) return responded(503, 'NotAvailable');
    if (fate === 1)
      return { ...responded(429, 'RateLimitExceeded'), retryAt: new Date(this.#dbNow() + 9_000) };
    if (fate === 2) return silent('cut');
    const response = carryOut();
    if (fate === 3) return silent('cut');
    return fate === 4 ? responded(502) : response;
  }

  #arrive(): NetworkResponse | null {
    const dbNow = this.#dbNow();
    const isStepped = this.#now < this.#steppedAt + 2 * HEARTBEAT_MS;
    if (dbNow < this.#dueAt && !isStepped) this.#break('nothing is sent before its time');
    if (this.#isRefused) return responded(400, 'InvalidRecord');
    this.#firstArrival = Math.min(this.#firstArrival, this.#now);
    return null;
  }

  #create({ rkey, cid, record: value }: RecordWrite): void {
    const isOver = this.#now > this.#firstArrival + OPTIONS.retryWindowMs + SLACK_MS;
    // After a restore that is a known price: the database has forgotten that the post was sent.
    if (this.#isDeleted && isOver && this.#restoredAt === null) {
      this.#break('what its author has deleted does not come back');
    }
    this.#keys.add(rkey);
    this.#records.set(rkey, { cid, value });
    if (this.#keys.size > (this.#isThread ? 2 : 1)) this.#break('a post is published once');
  }

  #put(write: RecordWrite): NetworkResponse {
    const refusal = this.#arrive();
    if (refusal !== null) return refusal;
    const found = this.#records.get(write.rkey);
    if (found !== undefined && found.cid !== write.cid) return responded(400, 'InvalidSwap');
    const body = { uri: 'at://simulated', cid: write.cid };
    if (found !== undefined) return responded(200, null, body);
    this.#create(write);
    return responded(200, null, { ...body, commit: {} });
  }

  #apply(writes: readonly RecordWrite[]): NetworkResponse {
    const refusal = this.#arrive();
    if (refusal !== null) return refusal;
    if (writes.some(({ rkey }) => this.#records.has(rkey))) return responded(500);
    for (const write of writes) this.#create(write);
    return responded(200, null, { commit: {}, results: writes.map(({ cid }) => ({ cid })) });
  }

  #get(rkey: string): NetworkResponse {
    const found = this.#records.get(rkey);
    return found === undefined
      ? responded(400, 'RecordNotFound')
      : responded(200, null, { uri: 'at://simulated', ...found });
  }
}

if (import.meta.main) {
  const [{ seed, count }] = await once(process, 'message');
  process.send?.(await simulate(seed, count));
  process.disconnect();
}
