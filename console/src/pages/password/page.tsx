import { useRef } from 'react';
import { authMe, authPassword, passwordBodyOf } from '@meridian/contract/auth';
import { AUTH_MESSAGES } from '@meridian/contract/session-calls';
import type { ErrorCode } from '@meridian/contract/errors';
import { Card, CardBody } from '@meridian/ui/Card.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { pageConfig } from '@meridian/ui/api/page-config.ts';
import { call } from '@meridian/ui/api/call.ts';
import { ApiError } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { PasswordField } from '@meridian/ui/fields.tsx';
import { FormShell } from '@meridian/ui/form/FormShell.tsx';
import { useForm } from '@meridian/ui/form/use-form.ts';
import { useFirstField } from '@meridian/ui/hooks.ts';
import { paths } from '../../paths.ts';

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
            {FIELDS.map(({ name, ...field }) => (
              <PasswordField key={name} required {...field} {...text(name)} />
            ))}
          </CardBody>
        </Card>
      </FormShell>
    </>
  );
}

const MIN_LENGTH = pageConfig().passwordMinLength;
const GOOD_LENGTH = 15;
const GOOD_HINT = MIN_LENGTH < GOOD_LENGTH ? ` ${GOOD_LENGTH} or more is better.` : '';
const LENGTH_HINT = `At least ${MIN_LENGTH} characters.${GOOD_HINT}`;
const SCHEMA = passwordBodyOf(MIN_LENGTH);
const DEFAULTS = { currentPassword: '', newPassword: '', confirm: '' };
const FIELDS = [
  { name: 'currentPassword', label: 'Current password', autoComplete: 'current-password' },
  { name: 'newPassword', label: 'New password', autoComplete: 'new-password', hint: LENGTH_HINT },
  { name: 'confirm', label: 'Confirm new password', autoComplete: 'new-password' },
] as const;

/** A service may respond 401 to a wrong current password: the token itself may still be good. */
async function isTokenRefused(): Promise<boolean> {
  try {
    await call(authMe, {}, { endsSession: () => false });
    return false;
  } catch {
    return true;
  }
}

/** Puts the refusal of a wrong current password at its field; without a code it is known by its words. */
function atItsField(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.issues.length > 0) return error;
  const { status, code, message } = error;
  const isWrong =
    code === ('wrong_current_password' satisfies ErrorCode) ||
    status === 401 ||
    (status === 400 && message === AUTH_MESSAGES.passwordWrong);
  if (!isWrong) return error;
  return new ApiError({ status, code, message, issues: [{ path: 'currentPassword', message }] });
}
