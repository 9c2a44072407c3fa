import { useRef } from 'react';
import { authMe, authPassword, passwordBodyOf } from '@meridian/contract/auth';
import { AUTH_MESSAGES } from '@meridian/contract/session-calls';
import type { ErrorCode } from '@meridian/contract/errors';
import { Card, CardBody } from '@meridian/ui/Card.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { call } from '@meridian/ui/api/call.ts';
import { ApiError } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { PasswordField } from '@meridian/ui/fields.tsx';
import { FormShell } from '@meridian/ui/form/FormShell.tsx';
import { useForm } from '@meridian/ui/form/use-form.ts';
import { useFirstField } from '@meridian/ui/hooks.ts';
import { paths } from '../../paths.ts';
import { pageConfig } from '@meridian/ui/api/page-config.ts';

const MIN_LENGTH = pageConfig().passwordMinLength;
const GOOD_LENGTH = 15;
const LENGTH_HINT = [
  `At least ${MIN_LENGTH} characters.`,
  ...(MIN_LENGTH < GOOD_LENGTH ? [`${GOOD_LENGTH} or more is better.`] : []),
].join(' ');
const SCHEMA = passwordBodyOf(MIN_LENGTH);
const DEFAULTS = { currentPassword: '', newPassword: '', confirm: '' };

const WRONG = 'wrong_current_password' satisfies ErrorCode;

/** A service may respond 401 to a wrong current password: the token itself may still be good. */
async function isTokenRefused(): Promise<boolean> {
  try {
    await call(authMe, {}, { endsSession: () => false });
    return false;
  } catch {
    return true;
  }
}

/** The one refusal that is about a field: known by its code, or by its words where there is none. */
function atItsField(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.issues.length > 0) return error;
  const isWrong =
    error.code === WRONG ||
    error.status === 401 ||
    (error.status === 400 && error.message === AUTH_MESSAGES.passwordWrong);
  if (!isWrong) return error;
  const { status, code, message } = error;
  return new ApiError({ status, code, message, issues: [{ path: 'currentPassword', message }] });
}

export function Component() {
  const change = useEndpointMutation(authPassword, { endsSession: isTokenRefused });
  const { shell, text } = useForm({
    defaults: DEFAULTS,
    schema: SCHEMA,
    toBody: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
    ownIssues: ({ newPassword, confirm }) =>
      newPassword === confirm ? [] : [{ path: 'confirm', message: AUTH_MESSAGES.passwordsDiffer }],
    submit: async (body) => {
      await change.mutateAsync({ body }).catch((error: unknown) => {
        throw atItsField(error);
      });
      return { message: AUTH_MESSAGES.passwordChanged, to: paths.dashboard };
    },
    failed: AUTH_MESSAGES.passwordChangeFailed,
  });
  const endsSessions = useIsMeridian();
  const card = useRef<HTMLDivElement>(null);
  useFirstField(card);
  return (
    <>
      <PageTitle
        title="Change Password"
        context={endsSessions ? "You'll be signed out everywhere else." : undefined}
      />
      <FormShell
        {...shell}
        submitLabel="Change Password"
        busyLabel="Changing..."
        cancelTo={paths.dashboard}
        className="max-w-md"
      >
        <Card as="div">
          <CardBody ref={card} className="flex flex-col gap-4">
            <PasswordField
              label="Current password"
              required
              autoComplete="current-password"
              {...text('currentPassword')}
            />
            <PasswordField
              label="New password"
              required
              autoComplete="new-password"
              hint={LENGTH_HINT}
              {...text('newPassword')}
            />
            <PasswordField
              label="Confirm new password"
              required
              autoComplete="new-password"
              {...text('confirm')}
            />
          </CardBody>
        </Card>
      </FormShell>
    </>
  );
}
