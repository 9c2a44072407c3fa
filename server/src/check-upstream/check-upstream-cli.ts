import { ArgumentError, readOption, runTool, splitArguments } from '../cli/cli.ts';
import { Malformed, inSecretFile, webAddress } from '../config/parsers.ts';
import { checkUpstream, NoResponse } from './check-upstream.ts';
import type { Credentials, Finding } from './check-upstream.ts';

const USAGE = `Plays the reads of the console against a service of your own and names what does not fit.

  npm run check-upstream -- --url https://api.example.com --login-file FILE

  --url URL            where the service is; what UPSTREAM_API would be
  --login-file FILE    a user name and, on a second line, the password (chmod 600)
  --token-file FILE    a bearer token instead, such as an API token; or set UPSTREAM_TOKEN to it
  --help               this text

Ends with code 0 when every call fits, 1 when one does not, 2 when the command line is wrong or there is
no connection. Signing in is tried once with a wrong password. Nothing is changed.
`;
const text = { type: 'string' } as const;
const help = { type: 'boolean', default: false } as const;
const OPTIONS = { url: text, 'login-file': text, 'token-file': text, help };

const NEITHER = 'Give either --token-file FILE or --login-file FILE, or set UPSTREAM_TOKEN.';
const LOGIN = /^(?<username>.+)\r?\n(?<password>.+)$/;
const inLogin = inSecretFile('a user name and, on a second line, the password', (text) => {
  const { username, password } = LOGIN.exec(text)?.groups ?? {};
  if (username && password) return { username, password };
  throw new Malformed('two lines');
});

const TOKEN = /^[!-~]{1,4096}$/;
const inToken = inSecretFile('a token and nothing else', (token) => {
  if (TOKEN.test(token)) return { token };
  throw new Malformed('a token');
});

/** Credentials never come from the command line, which every user of a machine can see. */
function credentialsIn(login: string | undefined, token: string | undefined): Credentials {
  if (login !== undefined && token === undefined) return readOption('login-file', inLogin, login);
  if (token !== undefined && login === undefined) return readOption('token-file', inToken, token);
  const { UPSTREAM_TOKEN: given } = process.env;
  if (login !== undefined || !given) throw new ArgumentError(NEITHER);
  if (TOKEN.test(given)) return { token: given };
  throw new ArgumentError('UPSTREAM_TOKEN must be a token and nothing else.');
}

const linesOf = ({ call, problems, leftOut }: Finding) => [
  `${problems.size === 0 ? 'fits ' : 'wrong'}  ${call}`,
  ...[...problems].map((problem) => `         ${problem}`),
  ...(leftOut.size === 0 ? [] : [`         left out: ${[...leftOut].join(', ')}`]),
];

await runTool({ name: 'check-upstream', untouched: '' }, async () => {
  const { values } = splitArguments({ args: process.argv.slice(2), options: OPTIONS });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  if (values.url === undefined) throw new ArgumentError('Name the service: --url URL.');
  const url = readOption('url', webAddress, values.url);
  const credentials = credentialsIn(values['login-file'], values['token-file']);
  try {
    const findings = await checkUpstream(url, credentials);
    const fitting = findings.filter(({ problems }) => problems.size === 0).length;
    const summary = `${fitting} of ${findings.length} calls fit.`;
    process.stdout.write(`${[summary, '', ...findings.flatMap(linesOf)].join('\n')}\n`);
    process.exitCode = fitting === findings.length ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    process.stderr.write(`${url.origin} cannot be checked: ${error.message}.\n`);
    process.exitCode = 2;
  }
});
