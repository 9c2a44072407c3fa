import { inSecretFile } from '../config/secret-file.ts';
import { Malformed } from '../config/variable.ts';
import { ArgumentError, readOption } from '../cli/arguments.ts';

export type Credentials =
  | { token: string; username: null; password: null }
  | { token: null; username: string; password: string };

const TOKEN = /^[!-~]{1,4096}$/;

function tokenIn(text: string): string {
  if (TOKEN.test(text)) return text;
  throw new Malformed('a token');
}

function loginIn(text: string): { username: string; password: string } {
  const [username = '', password = '', ...others] = text.split(/\r?\n/);
  if (username !== '' && password !== '' && others.length === 0) return { username, password };
  throw new Malformed('two lines');
}

/** From files alone: every user of a machine can list the command lines of the others. */
export function readCredentials(files: { token?: string; login?: string }): Credentials {
  const { token, login } = files;
  if ((token === undefined) === (login === undefined)) {
    throw new ArgumentError('Give either --token-file FILE or --login-file FILE.');
  }
  if (token !== undefined) {
    const read = inSecretFile('a token and nothing else', tokenIn);
    return { token: readOption('token-file', read, token), username: null, password: null };
  }
  const read = inSecretFile('a user name and, on a second line, the password', loginIn);
  return { token: null, ...readOption('login-file', read, login ?? '') };
}
