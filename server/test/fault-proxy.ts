import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What goes wrong on the way; nothing when empty. */
export type Fault = {
  /** Each piece of an answer comes so much later. */
  delayMs?: number;
  /** The line is cut after so much of an answer. */
  cutAfterBytes?: number;
  /** Lines are reset when something is said on them. */
  reset?: boolean;
  /** Everything is taken, nothing is passed on. */
  silent?: boolean;
};

export type FaultProxy = {
  port: number;
  fault: Fault;
  /** How many requests a fault has met so far. */
  readonly disturbed: number;
  close(): Promise<void>;
};

type State = { fault: Fault; disturbed: number };

/** A line to a local port that can be made a bad one, also while it is in use. */
export async function startFaultProxy(target: number): Promise<FaultProxy> {
  const state: State = { fault: {}, disturbed: 0 };
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (Object.keys(state.fault).length > 0) state.disturbed += 1;
      if (state.fault.reset === true) client.resetAndDestroy();
      else if (state.fault.silent !== true) upstream.write(chunk);
    });
    passBack(upstream, client, state);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port');
  return {
    port: address.port,
    get fault() {
      return state.fault;
    },
    set fault(fault) {
      state.fault = fault;
    },
    get disturbed() {
      return state.disturbed;
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Pieces stay in their order, however long one of them takes. */
function passBack(upstream: Socket, client: Socket, state: State): void {
  let turn = Promise.resolve();
  let passed = 0;
  upstream.on('data', (chunk) => {
    turn = turn.then(async () => {
      const { delayMs = 0, cutAfterBytes = Infinity, silent = false } = state.fault;
      if (silent) return;
      if (delayMs > 0) await delay(delayMs);
      passed = cutAfterBytes === Infinity ? 0 : passed + chunk.length;
      if (passed > cutAfterBytes) {
        client.write(chunk.subarray(0, Math.floor(chunk.length / 2)));
        client.destroySoon();
      } else if (!client.destroyed) client.write(chunk);
    });
  });
}
