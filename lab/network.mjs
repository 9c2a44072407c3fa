import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Both servers listen on every interface and cannot be told otherwise.
const listen = Reflect.get(net.Server.prototype, 'listen');
net.Server.prototype.listen = function listenOnLoopback(port, ...rest) {
  return typeof port === 'number'
    ? listen.call(this, { port, host: '127.0.0.1' }, ...rest)
    : listen.call(this, port, ...rest);
};

// Read by the servers' loggers when they are loaded.
process.env.LOG_ENABLED ??= 'false';
const { envToCfg, envToSecrets, PDS } = await import('@atproto/pds');
const { Database, PlcServer } = await import('@did-plc/server');

export const PASSWORD = 'correct horse battery';
const key = () => randomBytes(32).toString('hex');

/** The reference PDS and its DID directory on loopback, empty, until `stop`. */
export async function startNetwork() {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'meridian-lab-'));
  const directory = PlcServer.create({ db: Database.mock(), port: 0 });
  const directoryPort = (await directory.start()).address().port;
  const port = await freePort();
  const env = {
    port,
    hostname: 'localhost',
    devMode: true,
    disableSsrfProtection: true,
    dataDirectory,
    blobstoreDiskLocation: join(dataDirectory, 'blobs'),
    didPlcUrl: `http://127.0.0.1:${directoryPort}`,
    serviceHandleDomains: ['.test'],
    inviteRequired: false,
    bskyAppViewUrl: 'http://127.0.0.1:9',
    bskyAppViewDid: 'did:example:app-view',
    modServiceUrl: 'http://127.0.0.1:9',
    modServiceDid: 'did:example:moderation',
    plcRotationKeyK256PrivateKeyHex: key(),
    jwtSecret: key(),
    adminPassword: key(),
  };
  const pds = await PDS.create(envToCfg(env), envToSecrets(env));
  const server = await pds.start();
  const watch = watchRequests(server);
  return {
    url: `http://127.0.0.1:${port}`,
    directoryUrl: `http://127.0.0.1:${directoryPort}`,
    ...watch,
    async stop() {
      await pds.destroy();
      await directory.destroy();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Counts the successful requests to a path, and lets a gateway in front of the PDS fail them. */
function watchRequests(server) {
  const listeners = server.listeners('request');
  const counts = new Map();
  let failing = null;
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const path = request.url.split('?')[0];
    response.once('finish', () => {
      if (response.statusCode === 200) counts.set(path, (counts.get(path) ?? 0) + 1);
    });
    if (path === failing) response.writeHead(502, { 'content-type': 'text/html' }).end('<p>Sorry');
    else for (const listener of listeners) listener.call(server, request, response);
  });
  return {
    successesOf: (path) => counts.get(path) ?? 0,
    fail(path) {
      failing = path;
    },
  };
}

async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A new account on the PDS: its DID and the token of a session. */
export async function createAccount(url, name) {
  const response = await fetch(`${url}/xrpc/com.atproto.server.createAccount`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      handle: `${name}.test`,
      email: `${name}@example.test`,
      password: PASSWORD,
    }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`createAccount: ${response.status} ${JSON.stringify(body)}`);
  return { did: body.did, token: body.accessJwt };
}
