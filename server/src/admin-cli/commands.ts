import type { Db } from '../db/database.ts';
import { listAccounts } from '../features/auth/admins.store.ts';
import type { AdminListRow } from '../features/auth/admins.store.ts';
import type { AdminsService } from '../features/auth/admins.service.ts';
import { generatePassword } from '../features/auth/generate-password.ts';
import type { ChangeArguments } from './arguments.ts';

export type CommandIo = {
  say(line: string): void;
  /** Asks whoever runs the command for a new password. */
  readPassword(): Promise<string>;
};

/** Does what the command line asks for and says so. Everything refused is thrown as one sentence. */
export async function runCommand(
  found: ChangeArguments,
  admins: AdminsService,
  io: CommandIo,
): Promise<void> {
  const { command, username, displayName } = found;
  const choosePassword = () => (found.isGenerated ? generatePassword() : io.readPassword());
  const showGenerated = (password: string) => {
    if (found.isGenerated) io.say(`Password, shown only this once: ${password}`);
  };

  if (command === 'create') {
    // Asked first, so that nobody types a password in vain.
    await admins.requireFree(username);
    const password = await choosePassword();
    await admins.create({ username, displayName }, password);
    io.say(`Made the administrator ${username}.`);
    showGenerated(password);
    return;
  }

  const account = await admins.find(username);
  const isDisabled = account.disabled_at !== null;
  const stillDisabled = isDisabled ? ` The account is still disabled.` : '';
  switch (command) {
    case 'reset-password': {
      const password = await choosePassword();
      await admins.resetPassword(account, password);
      io.say(`${username} has a new password, and every session has ended.${stillDisabled}`);
      showGenerated(password);
      return;
    }
    case 'unlock':
      await admins.unlock(account);
      io.say(`The failed sign-ins of ${username} are forgotten.${stillDisabled}`);
      return;
    case 'disable':
      await admins.disable(account);
      io.say(`${username} is disabled, and every session has ended.`);
      if ((await admins.list()).every(({ disabled_at }) => disabled_at !== null)) {
        io.say('No administrator can sign in now.');
      }
      return;
    case 'enable':
      await admins.enable(account);
      io.say(`${username} may sign in.`);
      return;
  }
}

/** Every administrator, the disabled ones too. */
export async function sayAdmins(db: Db, say: CommandIo['say']): Promise<void> {
  for (const line of tableOf(await listAccounts(db))) say(line);
}

function tableOf(admins: readonly AdminListRow[]): string[] {
  if (admins.length === 0) return ['There are no administrators.'];
  const rows = [
    ['User name', 'Display name', 'State', 'Last sign-in'],
    ...admins.map((admin) => [
      admin.username,
      admin.display_name ?? '',
      admin.disabled_at === null ? 'active' : 'disabled',
      admin.last_login_at ?? 'never',
    ]),
  ];
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   '));
}
