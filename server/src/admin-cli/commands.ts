import type { Db } from '../db/database.ts';
import type { AdministratorsService } from '../features/administrators/administrators.service.ts';
import { listAdmins } from '../features/administrators/administrators.store.ts';
import type { AdminListRow } from '../features/administrators/administrators.store.ts';
import { generatePassword } from '../features/passwords/passwords.ts';
import type { ChangeArguments } from './arguments.ts';

export type CommandIo = {
  say(line: string): void;
  /** Asks the operator for a new password. */
  readPassword(): Promise<string>;
};

/** Does what the command line asks for and says so. Everything refused is thrown as one sentence. */
export async function runCommand(
  found: ChangeArguments,
  admins: AdministratorsService,
  io: CommandIo,
): Promise<void> {
  const { command, username, displayName } = found;
  const choosePassword = () => (found.isGenerated ? generatePassword() : io.readPassword());
  const showGenerated = (password: string) => {
    if (found.isGenerated) io.say(`Password, shown only this once: ${password}`);
  };

  if (command === 'create') {
    // Before the password is asked for, so that it is not typed in vain.
    await admins.requireUnused(username);
    const password = await choosePassword();
    await admins.create({ username, displayName }, password);
    io.say(`Made the administrator ${username}.`);
    showGenerated(password);
    return;
  }

  const admin = await admins.find(username);
  const stillDisabled = admin.is_disabled ? ` The account is still disabled.` : '';
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

/** Every administrator, the disabled ones too. */
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
