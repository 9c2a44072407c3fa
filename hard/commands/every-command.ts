/** Every command that works on a database, with arguments that are complete. */
type Command = {
  name: string;
  program: URL;
  args: readonly string[];
  /** On standard input. */
  input: string;
  /** Makes the schema in an empty database. */
  makesSchema: boolean;
};

const command = (
  name: string,
  file: string,
  args: readonly string[] = [],
  { input = '', makesSchema = false } = {},
): Command => ({
  name,
  program: new URL(`../../server/src/${file}`, import.meta.url),
  args,
  input,
  makesSchema,
});

const ADMIN = 'admin-cli/admin-cli.ts';
const PASSWORD = { input: 'quiet river stones\n' };

export const COMMANDS = [
  command('audit:verify', 'audit/verify-cli.ts'),
  command('reconcile', 'counters/reconcile-cli.ts'),
  command('reconcile --repair', 'counters/reconcile-cli.ts', ['--repair']),
  command('export', 'export/export-cli.ts', ['--out', 'nowhere']),
  command('import', 'import/import-cli.ts', ['/dev/null'], { makesSchema: true }),
  command('admin list', ADMIN, ['list']),
  command('admin reset-password', ADMIN, ['reset-password', 'ana'], PASSWORD),
  command('admin unlock', ADMIN, ['unlock', 'ana']),
  command('admin disable', ADMIN, ['disable', 'ana']),
  command('admin enable', ADMIN, ['enable', 'ana']),
  command('admin create', ADMIN, ['create', 'ana'], { ...PASSWORD, makesSchema: true }),
  command('seed', 'seed/seed-cli.ts', ['--users', '1'], { makesSchema: true }),
] as const;

export const COPY = new URL('../../server/src/copy/copy-cli.ts', import.meta.url);
