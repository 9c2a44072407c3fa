import { isUtf8 } from 'node:buffer';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Readable } from 'node:stream';
import type { Db } from '../db/database.ts';
import type { AdministratorsService } from '../features/administrators/administrators.service.ts';
import { listAdmins } from '../features/administrators/administrators.store.ts';
import type { AdminListRow } from '../features/administrators/administrators.store.ts';
import { generatePassword } from '../features/passwords/passwords.ts';
import { StartError } from '../start-error.ts';

export type Change = {
  command: 'create' | 'reset-password' | 'unlock' | 'disable' | 'enable';
  username: string;
  displayName: string | null;
  isGenerated: boolean;
};

type CommandIo = {
  say(line: string): void;
  readPassword(): Promise<string>;
};

export async function runCommand(
  found: Change,
  admins: AdministratorsService,
  io: CommandIo,
): Promise<void> {
  const { command, username, displayName } = found;
  const choosePassword = () => (found.isGenerated ? generatePassword() : io.readPassword());
  const showGenerated = (password: string) => {
    if (found.isGenerated) io.say(`Password, shown only this once: ${password}`);
  };

  if (command === 'create') {
    // The name is checked before the password is asked for, so that it is not typed in vain.
    await admins.requireUnused(username);
    const password = await choosePassword();
    await admins.create({ username, displayName }, password);
    io.say(`Made the administrator ${username}.`);
    showGenerated(password);
    return;
  }

  const admin = await admins.find(username);
  const stillDisabled = admin.is_disabled ? ' The account is still disabled.' : '';
  switch (command) {
    case 'reset-password': {
      const password = await choosePassword();
      await admins.resetPassword(admin, password);
      io.say(`${username} has a new password, and every session has ended.${stillDisabled}`);
      showGenerated(password);
      return;
    }
    case 'unlock':
      await admins.unlock(admin);
      io.say(`The failed sign-ins of ${username} are forgotten.${stillDisabled}`);
      return;
    case 'disable':
      await admins.disable(admin);
      io.say(`${username} is disabled, and every session has ended.`);
      if ((await admins.list()).every(({ is_disabled }) => is_disabled)) {
        io.say('No administrator can sign in now.');
      }
      return;
    case 'enable':
      await admins.enable(admin);
      io.say(`${username} may sign in.`);
      return;
  }
}

export async function sayAdmins(db: Db, say: CommandIo['say']): Promise<void> {
  for (const line of tableOf(await listAdmins(db))) say(line);
}

function tableOf(admins: readonly AdminListRow[]): string[] {
  if (admins.length === 0) return ['There are no administrators.'];
  const rows = [
    ['User name', 'Display name', 'State', 'Last sign-in'],
    ...admins.map((admin) => [
      admin.username,
      admin.display_name ?? '',
      admin.is_disabled ? 'disabled' : 'active',
      admin.last_login_at ?? 'never',
    ]),
  ];
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   '));
}

type PasswordSource = { input: Readable & { isTTY?: boolean }; ask: (text: string) => void };

// The limit exceeds the longest password and stops a file piped in by mistake.
const MAX_BYTES = 4_096;
const NO_PASSWORD =
  'No password was given: type it, pipe it in, or have one made with --generate. Nothing was changed.';

export async function readPassword(source: PasswordSource): Promise<string> {
  const isTyped = source.input.isTTY === true;
  const password = isTyped ? await askTwice(source) : await readAll(source.input);
  if (password === '') throw new StartError(NO_PASSWORD);
  return password;
}

async function askTwice({ input, ask }: PasswordSource): Promise<string> {
  // The line editor echoes to its output, which discards everything.
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: discarded, terminal: true, historySize: 0 });
  const cancelled = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new StartError('Cancelled. Nothing was changed.')));
  });
  const readReply = async (question: string) => {
    ask(question);
    return Promise.race([lines.question(''), cancelled]).finally(() => ask('\n'));
  };
  try {
    const first = await readReply('New password: ');
    const second = await readReply('The same again: ');
    if (first === second) return first;
    throw new StartError('The two passwords differ. Nothing was changed.');
  } finally {
    // From here on, closing is not cancelling.
    cancelled.catch(() => {});
    lines.close();
  }
}

async function readAll(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk));
    if (chunks.reduce((size, { length }) => size + length, 0) > MAX_BYTES) throw notOneLine();
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) {
    throw new StartError('The password on standard input is no text. Nothing was changed.');
  }
  const text = bytes.toString().replace(/\r?\n$/, '');
  if (/[\n\0]/.test(text)) throw notOneLine();
  return text;
}

const notOneLine = () =>
  new StartError('Standard input must hold one line: the password. Nothing was changed.');
