import { PASSWORD_MIN_LENGTH } from '@meridian/contract/session-calls';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { MASTER_KEYS, masterKeys } from '../vault/vault.ts';
import {
  DATABASE_ADDRESS,
  anything,
  databaseUrl,
  hostName,
  imageHost,
  inSecretFile,
  listOf,
  matching,
  onOff,
  oneOf,
  optional,
  origin,
  password,
  proxy,
  publicUrl,
  username,
  variable,
  webAddress,
  whole,
} from './parsers.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const VARIABLES = {
  PORT: variable(whole(0, 65_535), 3000, 'Port to listen on; 0 takes any free one'),
  HOST: variable(
    matching('a host name or an IP address', /^[\w.:[\]-]+$/),
    '127.0.0.1',
    'Address to listen on',
  ),
  DATA_DIR: variable(
    (path) => resolve(path),
    resolve('data'),
    'Folder of the embedded database, published plans, uploaded pictures and the first password',
    { shown: './data' },
  ),
  DATABASE_URL: optional(
    databaseUrl,
    'A PostgreSQL server (15 or newer) instead of the embedded database',
    { shown: 'embedded', isSecret: true },
  ),
  DATABASE_URL_FILE: optional(
    inSecretFile(DATABASE_ADDRESS, databaseUrl),
    'File that holds DATABASE_URL; no other user may read it',
  ),
  PGPASSWORD: optional(anything, 'Password of the PostgreSQL server, when its address has none', {
    isSecret: true,
  }),
  PGPASSFILE: optional(
    anything,
    'Password file of PostgreSQL, when neither the address nor PGPASSWORD has the password',
    { shown: '~/.pgpass' },
  ),
  DATABASE_POOL_SIZE: variable(whole(2, 100), 10, 'Most connections to the database at once'),
  ADMIN_USERNAME: variable(username, 'admin', 'User name of the first administrator'),
  ADMIN_PASSWORD: optional(
    password,
    'Password of the first administrator; a generated one is written to initial-admin-password in DATA_DIR',
    { shown: 'generated', isSecret: true },
  ),
  DEMO_DATA: optional(
    onOff,
    'Whether an empty embedded database is filled with demonstration data',
    { shown: 'on when embedded' },
  ),
  OBJECT_STORE_URL: optional(
    matching('an address such as s3://bucket/prefix', /^s3:\/\/./),
    'Where published plans and uploaded pictures are: s3://bucket/prefix of any S3-compatible store; needed with several processes',
    { shown: 'folder in DATA_DIR' },
  ),
  OBJECT_STORE_ENDPOINT: optional(
    webAddress,
    'Address of the S3-compatible store when it is not AWS',
  ),
  OBJECT_STORE_ALLOW_PRIVATE: variable(
    onOff,
    false,
    'Whether OBJECT_STORE_ENDPOINT may lie in a private network',
    { shown: 'off' },
  ),
  AWS_ACCESS_KEY_ID: optional(anything, 'Credential of the object store', { isSecret: true }),
  AWS_SECRET_ACCESS_KEY: optional(anything, 'Credential of the object store', { isSecret: true }),
  AWS_SESSION_TOKEN: optional(
    anything,
    'Credential of the object store, when it is a temporary one',
    { isSecret: true },
  ),
  AWS_REGION: optional(
    matching('a region such as eu-central-1', /^[a-z0-9-]+$/),
    'Region of the object store; AWS itself needs it',
  ),
  CDN_BASE_URL: optional(webAddress, 'Content-delivery host of image keys and published plans', {
    shown: "this server's /cdn/",
  }),
  IMAGE_HOSTS: variable(
    listOf(imageHost),
    [],
    'Other hosts whose pictures the console loads by itself, separated by commas; *.example.com stands for every subdomain',
    { shown: 'none' },
  ),
  UPSTREAM_API: optional(
    webAddress,
    'Serve only the console and pass /api/admin/* on to this service',
  ),
  VITE_API_BASE_URL: optional(
    webAddress,
    "Another origin for the console's calls; read when the console is built and served",
    { shown: 'same origin' },
  ),
  CORS_ORIGINS: variable(
    listOf(origin),
    [],
    'Other origins whose pages may call the API, separated by commas',
    { shown: 'none' },
  ),
  ALLOWED_HOSTS: variable(
    listOf(hostName),
    [],
    'Host names this server responds to, separated by commas; loopback names always pass when listening on loopback',
    { shown: 'any, or loopback names' },
  ),
  TRUST_PROXY: variable(
    listOf(proxy),
    [],
    'Addresses or networks of the proxies in front, separated by commas; without it all clients behind a proxy share one login rate limit',
    { shown: 'none' },
  ),
  HSTS_INCLUDE_SUBDOMAINS: variable(
    onOff,
    true,
    'Whether Strict-Transport-Security, sent over TLS only, covers subdomains',
    { shown: 'on' },
  ),
  METRICS_TOKEN: optional(
    matching('32 to 256 visible characters', /^[!-~]{32,256}$/),
    'Turns /metrics on, for requests with this bearer token; 32 characters or more',
    { shown: 'none: off', isSecret: true },
  ),
  ENGINE: variable(onOff, true, 'Whether this process publishes due posts', { shown: 'on' }),
  NETWORK: optional(
    oneOf('local', 'live', 'off'),
    'Where posts are published: local (inside this service, nothing leaves the machine), live (the accounts of people, which needs PUBLIC_URL) or off (nowhere)',
    { shown: 'local with demonstration data, else off' },
  ),
  PUBLIC_URL: optional(
    publicUrl,
    'Address of this server for browsers and account hosts, such as https://posts.example.com',
  ),
  ENGINE_KEY: optional(
    masterKeys,
    'Key that encrypts the access to accounts: 32 random bytes in base64; further keys, separated by commas, only decrypt',
    { shown: 'engine-key in DATA_DIR', isSecret: true },
  ),
  ENGINE_KEY_FILE: optional(
    inSecretFile(MASTER_KEYS, masterKeys),
    'File that holds ENGINE_KEY, one key per line; no other user may read it',
  ),
  ENGINE_CONCURRENCY: variable(whole(1, 1_000), 64, 'Most posts that this process sends at once'),
  ENGINE_HOST_CONCURRENCY: variable(whole(1, 1_000), 8, 'Most of them to one host'),
  ENGINE_HOST_PER_SECOND: variable(
    whole(1, 10_000),
    9,
    'Most requests to one host in a second, from all engines with the same ENGINE_EGRESS',
  ),
  ENGINE_EGRESS: variable(
    matching('a name of 1 to 64 visible characters', /^[!-~]{1,64}$/),
    hostname(),
    'Name of the network address from which this process sends',
    { shown: 'host name' },
  ),
  ENGINE_LEASE_SECONDS: variable(
    whole(5, 300),
    15,
    'After this time another engine takes over the posts of one that died',
  ),
  ENGINE_LATE_LIMIT_MINUTES: variable(
    whole(1, 10_080),
    60,
    'A post that is later than this fails instead of being published',
  ),
  ENGINE_RETRY_MINUTES: variable(
    whole(1, 60),
    10,
    'How long a post is retried after a request with an unknown outcome',
  ),
  LOG_LEVEL: optional(
    oneOf(...LOG_LEVELS),
    'Least severe log line written: fatal, error, warn, info, debug, trace or silent',
    { shown: 'info; warn in a terminal' },
  ),
  PASSWORD_MIN_LENGTH: variable(
    whole(PASSWORD_MIN_LENGTH, 64),
    PASSWORD_MIN_LENGTH,
    'Fewest characters of a new password',
  ),
  SESSION_IDLE_MINUTES: variable(
    whole(1, 1_440),
    30,
    'A session ends after this time without a request',
  ),
  SESSION_MAX_HOURS: variable(whole(1, 720), 12, 'A session ends after this time in any case'),
  SESSION_RATE_LIMIT: variable(
    whole(0, 1_000_000),
    600,
    'Requests of one session in a minute; 0 for any number',
  ),
  LOGIN_FAILURES: variable(
    whole(1, 1_000),
    5,
    'Failed logins of one name from one network in 15 minutes before waiting begins',
  ),
  LOGIN_ATTEMPTS_PER_NETWORK: variable(
    whole(1, 10_000),
    30,
    'Login attempts from one network in 5 minutes',
  ),
  LOGIN_FAILURES_PER_NAME: variable(
    whole(1, 10_000),
    20,
    'Failed logins of one name from unknown networks in an hour',
  ),
  LOGIN_FAILURES_IN_A_ROW: variable(
    whole(1, 10_000),
    100,
    'Failed logins of one name in a row before unknown networks are refused and the reserve of a known network ends',
  ),
  PASSWORD_CHANGES: variable(
    whole(1, 1_000),
    10,
    'Attempts of one administrator to change the password in 10 minutes',
  ),
} as const;
