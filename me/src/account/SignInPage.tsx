import { type SubmitEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { SIGN_IN_ERRORS } from '@meridian/contract/me/sign-in-errors';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Card } from '@meridian/ui/Card.tsx';
import { readStored, writeStored } from '@meridian/ui/api/browser.ts';
import { call } from '@meridian/ui/api/call.ts';
import { ApiError } from '@meridian/ui/api/errors.ts';
import { TextField } from '@meridian/ui/fields.tsx';
import { sentenceOf, useAction } from '../api/actions.ts';
import { meSignIn } from '../api/calls.ts';
import { Frame } from '../parts.tsx';

/** The handle is kept, so that coming back needs no typing. */
const HANDLE_KEY = 'meridian_handle';
const KEYWORD_ID = 'keyword';
const KEYWORD_ERRORS = new Set(['closed_beta', 'wrong_keyword', 'keyword_refused']);

function errorInAddress(): string | null {
  return new URLSearchParams(window.location.search).get('error');
}

export function SignInPage({ isEnded }: { isEnded: boolean }) {
  const [handle, setHandle] = useState(() => readStored(HANDLE_KEY) ?? '');
  const [keyword, setKeyword] = useState('');
  const [handleError, setHandleError] = useState<string>();
  const [reason, setReason] = useState(errorInAddress);
  const [asksKeyword, setAsksKeyword] = useState(KEYWORD_ERRORS.has(reason ?? ''));
  const signIn = useAction(async () => {
    const body = { handle, ...(keyword.trim() !== '' && { keyword }) };
    try {
      const { redirectTo } = await call(meSignIn, { body });
      writeStored(HANDLE_KEY, handle.trim());
      window.location.assign(redirectTo);
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      if (code === 'handle_not_found') return setHandleError(sentenceOf(error));
      if (KEYWORD_ERRORS.has(code ?? '')) setAsksKeyword(true);
      throw error;
    }
  });

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const isMissing = handle.trim() === '';
    setReason(null);
    setHandleError(isMissing ? 'Enter your handle' : undefined);
    // The focus moves to the field that has to be filled in, as in every form.
    if (isMissing) event.currentTarget.querySelector('input')?.focus();
    else void signIn.run();
  }
  function askKeyword() {
    // The button goes away, and the member goes on in the field that it makes room for.
    flushSync(() => setAsksKeyword(true));
    document.getElementById(KEYWORD_ID)?.focus();
  }
  const told = Object.entries(SIGN_IN_ERRORS).find(([code]) => code === reason)?.[1];
  const ended = isEnded ? 'Your session has ended. What you wrote is kept.' : undefined;
  return (
    <Frame hasTitle>
      <h1 className="text-2xl">Schedule posts to Bluesky</h1>
      <p className="mt-2 mb-6 text-lg leading-normal text-muted">
        Write now, choose a time, and Meridian publishes your post for you.
      </p>
      {signIn.error === undefined && (ended ?? told) !== undefined && (
        <Alert tone={ended === undefined ? 'amber' : 'blue'} className="mb-4">
          {ended ?? told}
        </Alert>
      )}
      <Card as="div" className="p-5">
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <TextField
            label="Bluesky handle"
            hint="You sign in at your own account host. We never see your password."
            placeholder="you.bsky.social"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            value={handle}
            error={handleError}
            onChange={(event) => {
              setHandle(event.target.value);
              setHandleError(undefined);
            }}
          />
          {asksKeyword && (
            <TextField
              id={KEYWORD_ID}
              label="Access keyword"
              hint="From the person who invited you. Not needed if you were here before."
              name="keyword"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={keyword}
              onChange={(event) => setKeyword(event.target.value)}
            />
          )}
          {signIn.error !== undefined && <Alert>{signIn.error}</Alert>}
          <Button
            type="submit"
            variant="primary"
            size="lg"
            wide
            busy={signIn.isBusy}
            busyLabel="Signing in..."
          >
            Sign in with Bluesky
          </Button>
          {!asksKeyword && (
            <Button variant="ghost" size="sm" onClick={askKeyword}>
              I have an access keyword
            </Button>
          )}
        </form>
      </Card>
    </Frame>
  );
}
