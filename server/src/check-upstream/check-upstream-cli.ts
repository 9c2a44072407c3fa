import { ArgumentError, readOption, runTool, splitArguments } from '../cli/cli.ts';
import { Malformed, inSecretFile, webAddress } from '../config/parsers.ts';
import { checkUpstream } from './check-upstream.ts';
import type { Credentials, Finding } from './check-upstream.ts';
import { NoResponse } from './client.ts';

const USAGE = `Plays the reads of the console against a service of your own and names what does not fit.

  npm run check-upstream -- --url https://api.example.com --login-file FILE

  --url URL            where the service is; what UPSTREAM_API would be
  --login-file FILE    a user name and, on a second line, the password (chmod 600)
  --token-file FILE    a bearer token instead
  --help               this text

Ends with code 0 when every call fits, 1 when one does not, 2 when the command line is wrong or there is
no connection. Signing in is tried once with a wrong password. Nothing is changed.
`;

const OPTIONS = {
  url: { type: 'string' },
  'login-file': { type: 'string' },
  'token-file': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

function tokenIn(text: string): Credentials {
  if (/^[!-~]{1,4096}$/.test(text)) return { token: text };
  throw new Malformed('a token');
}

function loginIn(text: string): Credentials {
  const [username = '', password = '', ...others] = text.split(/\r?\n/);
  if (username !== '' && password !== '' && others.length === 0) return { username, password };
  throw new Malformed('two lines');
}

/** From files alone: every user of a machine can list the command lines of the others. */
function credentialsIn(token: string | undefined, login: string | undefined): Credentials {
  if ((token === undefined) === (login === undefined)) {
    throw new ArgumentError('Give either --token-file FILE or --login-file FILE.');
  }
  const ofToken = inSecretFile('a token and nothing else', tokenIn);
  const ofLogin = inSecretFile('a user name and, on a second line, the password', loginIn);
  return token === undefined
    ? readOption('login-file', ofLogin, login ?? '')
    : readOption('token-file', ofToken, token);
}

/** The summary, then one line for each call, with its problems below. */
function report(findings: readonly Finding[]): string {
  const fitting = findings.filter(({ problems }) => problems.size === 0);
  const lines = findings.flatMap(({ call, problems, leftOut }) => [
    `${problems.size === 0 ? 'fits ' : 'wrong'}  ${call}`,
    ...[...problems].map((problem) => `         ${problem}`),
    ...(leftOut.size === 0 ? [] : [`         left out: ${[...leftOut].join(', ')}`]),
  ]);
  return `${fitting.length} of ${findings.length} calls fit.\n\n${lines.join('\n')}\n`;
}

await runTool({ name: 'check-upstream', untouched: '' }, async () => {
  const { values } = splitArguments({ args: process.argv.slice(2), options: OPTIONS });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  if (values.url === undefined) throw new ArgumentError('Name the service: --url URL.');
  const url = readOption('url', webAddress, values.url);
  const credentials = credentialsIn(values['token-file'], values['login-file']);
  try {
    const findings = await checkUpstream(url, credentials);
    process.stdout.write(report(findings));
    process.exitCode = findings.every(({ problems }) => problems.size === 0) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    process.stderr.write(`${url.origin} cannot be checked: ${error.message}.\n`);
    process.exitCode = 2;
  }
});
