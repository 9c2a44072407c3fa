import { ArgumentError, readDatabaseUrl, readOption, splitArguments } from '../cli/cli.ts';
import { matching, username } from '../config/parsers.ts';

const COMMANDS = ['create', 'reset-password', 'unlock', 'disable', 'enable', 'list'] as const;
type Command = (typeof COMMANDS)[number];

type Target = { databaseUrl: string | null };

type OnOne = {
  command: Exclude<Command, 'list'>;
  username: string;
  displayName: string | null;
  /** Whether the password is generated rather than asked for. */
  isGenerated: boolean;
};

export type ChangeArguments = OnOne & Target;
export type AdminArguments = ChangeArguments | ({ command: 'list' } & Target);

export const USAGE = `Manages the administrators of a database, also while the server runs on it.

  npm run admin -- create NAME [--display-name TEXT] [--generate]
  npm run admin -- reset-password NAME [--generate]
  npm run admin -- unlock NAME
  npm run admin -- disable NAME
  npm run admin -- enable NAME
  npm run admin -- list
  npm run admin -- token --help     the API tokens with which programs make calls

  create               makes an administrator, and the tables first in an empty database
  reset-password       gives a new password, lifts every wait and ends every session
  unlock               lifts every wait after failed sign-ins, for all networks
  disable, enable      refuses sign-ins and ends every session; allows sign-ins again
  list                 all administrators, with the latest sign-in

  --username NAME      another way to give the name
  --display-name TEXT  the name shown in the console
  --generate           makes a password of 24 characters and shows it this once; otherwise it is
                       asked for in the terminal, or read from standard input
  --database-url URL   a PostgreSQL server, without a password; default DATABASE_URL or
                       DATABASE_URL_FILE, else the embedded database in DATA_DIR
  --help               this text
`;

const OPTIONS = {
  username: { type: 'string' },
  'display-name': { type: 'string' },
  generate: { type: 'boolean', default: false },
  'database-url': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof split>['values'];

export function readArguments(args: readonly string[]): AdminArguments | 'help' {
  const { values, positionals } = split(args);
  if (values.help) return 'help';
  const [word, ...names] = positionals;
  const command = commandOf(word);
  const target = { databaseUrl: readDatabaseUrl(values['database-url']) };
  refuseStrayOptions(command, values);
  if (values.username !== undefined) names.unshift(values.username);
  if (command === 'list') {
    if (names.length > 0) throw new ArgumentError('list takes no name.');
    return { command, ...target };
  }
  const [name, another] = names;
  if (name === undefined || another !== undefined) {
    throw new ArgumentError(`Name one administrator: ${command} NAME.`);
  }
  return {
    command,
    username: readOption('username', username, name),
    displayName: displayNameOf(values),
    isGenerated: values.generate,
    ...target,
  };
}

function split(args: readonly string[]) {
  return splitArguments({ args: [...args], options: OPTIONS, allowPositionals: true });
}

function commandOf(word: string | undefined): Command {
  const command = COMMANDS.find((one) => one === word);
  if (command !== undefined) return command;
  throw new ArgumentError(`Say what to do: ${COMMANDS.slice(0, -1).join(', ')} or list.`);
}

function displayNameOf({ 'display-name': text }: Values): string | null {
  if (text === undefined) return null;
  const parse = matching('1 to 100 visible characters', /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u);
  return readOption('display-name', parse, text.trim());
}

function refuseStrayOptions(command: Command, values: Values): void {
  const takesPassword = command === 'create' || command === 'reset-password';
  if (values.generate && !takesPassword) throw new ArgumentError(`${command} sets no password.`);
  if (values['display-name'] !== undefined && command !== 'create') {
    throw new ArgumentError('--display-name belongs to create.');
  }
}
