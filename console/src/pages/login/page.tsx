import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import type { loginBody } from '@meridian/contract/auth';
import { AUTH_MESSAGES } from '@meridian/contract/session-calls';
import type { Issue } from '@meridian/contract/validation';
import { Alert, RequestNote } from '@meridian/ui/Alert.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Card } from '@meridian/ui/Card.tsx';
import { ApiError } from '@meridian/ui/api/errors.ts';
import { PasswordField, TextField } from '@meridian/ui/fields.tsx';
import { useForm } from '@meridian/ui/form/use-form.ts';
import { useFirstField, usePageTitle } from '@meridian/ui/hooks.ts';
import { prefetchPath } from '@meridian/ui/links.tsx';
import { Logo } from '@meridian/ui/theme.tsx';
import { paths } from '../../paths.ts';
import { getIntendedPath, signIn, useSession } from '../../session.tsx';

export function Component() {
  usePageTitle('Admin Panel Login');
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-[26.5rem] flex-col items-center justify-center gap-5 px-4 py-10">
      <p className="flex items-center gap-2.5 text-lg font-semibold">
        <Logo className="size-9" />
        Meridian
      </p>
      <h1 className="text-xl lg:text-[1.375rem]">Admin Panel Login</h1>
      <Card as="div" className="w-full p-6">
        <LoginForm />
      </Card>
    </main>
  );
}

const DEFAULTS = { username: '', password: '' };

const NOTICES = {
  ended: 'Your session has ended. Please log in again.',
  elsewhere: 'You were logged out in another tab. Please log in again.',
  unconfirmed: 'Your session could not be confirmed. Please log in again.',
  start: undefined,
  logout: undefined,
};

function ownIssues({ username, password }: typeof DEFAULTS): Issue[] {
  return [
    ...(username === '' ? [{ path: 'username', message: AUTH_MESSAGES.usernameRequired }] : []),
    ...(password === '' ? [{ path: 'password', message: AUTH_MESSAGES.passwordRequired }] : []),
  ];
}

async function submit({ username, password }: typeof DEFAULTS): Promise<undefined> {
  try {
    await signIn(username, password);
  } catch (error) {
    // A refusal reads the same, whatever words the server has for it.
    const isRefused = error instanceof ApiError && error.status === 401;
    throw isRefused ? new ApiError({ status: 401, message: AUTH_MESSAGES.loginRefused }) : error;
  }
}

export function LoginForm() {
  const session = useSession();
  const element = useRef<HTMLFormElement>(null);
  const { shell, text } = useForm<typeof DEFAULTS, typeof loginBody>({
    defaults: DEFAULTS,
    ownIssues,
    toBody: (values) => values,
    submit,
    failed: AUTH_MESSAGES.loginUnreachable,
  });
  const [notice, setNotice] = useState<string>();
  // It stays once signed in: the form is still in sight until the next page is there.
  if (session.phase === 'signed-out' && notice !== NOTICES[session.reason]) {
    setNotice(NOTICES[session.reason]);
  }

  useFirstField(element);

  // Focus is the browser's: it goes to what has to be typed again.
  useEffect(() => {
    if (shell.failures === 0) return;
    const form = element.current;
    const field = form?.querySelector<HTMLElement>('[aria-invalid=true]');
    (field ?? form?.querySelector<HTMLElement>('[name=password]'))?.focus();
  }, [shell.failures]);

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    shell.onSubmit();
  }

  return (
    <form
      ref={element}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={handleSubmit}
      // The next page is needed soon once typing starts.
      onInput={() => prefetchPath(getIntendedPath() ?? paths.dashboard)}
    >
      {shell.submitError !== undefined && (
        <Alert>
          {shell.submitError}
          <RequestNote error={shell.refusal} />
        </Alert>
      )}
      {shell.submitError === undefined && notice !== undefined && (
        <Alert tone="blue">{notice}</Alert>
      )}
      <TextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...text('username')}
      />
      <PasswordField label="Password" autoComplete="current-password" {...text('password')} />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        // Signed in, the form stays at work until the next page is there.
        busy={shell.loading || session.phase !== 'signed-out'}
        busyLabel="Logging in..."
      >
        Log in
      </Button>
    </form>
  );
}
