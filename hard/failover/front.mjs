import { connect, createServer } from 'node:net';

/** An address that can move: what connects is led to the port that `moveTo` named last, as late as `delayBy` says. */
export async function startFront(port) {
  let target = port;
  let delayMs = 0;
  const open = new Set();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    open.add(client).add(upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ]) {
      // A peer that is killed is the point of it all.
      from.on('error', () => to.destroy());
      from.on('close', () => open.delete(from));
      const later = (act) => (delayMs === 0 ? act() : setTimeout(() => act(), delayMs));
      from.on('data', (chunk) => later(() => to.destroyed || to.write(chunk)));
      from.on('end', () => later(() => to.end()));
    }
  });
  await new Promise((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  /** Cuts all connections: bytes on their way are lost. */
  const cut = () => open.forEach((socket) => socket.destroy());
  return {
    port: server.address().port,
    delayBy(ms) {
      delayMs = ms;
    },
    moveTo(next) {
      target = next;
      cut();
    },
    close() {
      server.close();
      cut();
    },
  };
}
