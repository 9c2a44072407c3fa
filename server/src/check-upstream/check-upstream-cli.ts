import { ArgumentError, readOption, splitArguments } from '../cli/arguments.ts';
import { runTool } from '../cli/run-tool.ts';
import { webAddress } from '../config/parsers.ts';
import { checkUpstream } from './check-upstream.ts';
import { NoResponse } from './client.ts';
import { readCredentials } from './credentials.ts';
import { jsonReport, summaryOf, textReport } from './report.ts';

const USAGE = `Plays the calls of the console against a server of your own and says what differs from the contract.

  npm run check-upstream -- --url https://api.example.com --login-file FILE

  --url URL            where the server is; what UPSTREAM_API would be
  --login-file FILE    a user name and, on a second line, the password (chmod 600)
  --token-file FILE    a bearer token instead
  --writes             play changes too, only on a currency, a plan and a ticket that it makes itself;
                       they stay behind inactive, hidden and revoked
  --json               for programs
  --help               this text

Ends with code 0 when the server fits, 1 when it does not, 2 when the command line is wrong or there is
no connection. Signing in is tried once with a wrong password.
`;

const OPTIONS = {
  url: { type: 'string' },
  'login-file': { type: 'string' },
  'token-file': { type: 'string' },
  writes: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

await runTool({ name: 'check-upstream', untouched: '' }, async () => {
  const { values } = splitArguments({ args: process.argv.slice(2), options: OPTIONS });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  if (values.url === undefined) throw new ArgumentError('Name the server: --url URL.');
  const url = readOption('url', webAddress, values.url);
  const { 'login-file': login, 'token-file': token } = values;
  const credentials = readCredentials({ ...(login && { login }), ...(token && { token }) });
  try {
    const report = await checkUpstream({ url, credentials, withWrites: values.writes });
    process.stdout.write(values.json ? jsonReport(report) : textReport(report));
    process.exitCode = summaryOf(report).fits ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    process.stderr.write(`${url.origin} cannot be checked: ${error.message}.\n`);
    process.exitCode = 2;
  }
});
