import { AUTH_MESSAGES, authPassword, passwordBody } from '@meridian/contract/auth';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { FormShell } from '../../components/form/FormShell.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';

const DEFAULTS = { currentPassword: '', newPassword: '', confirm: '' };

export function PasswordPage() {
  const change = useEndpointMutation(authPassword);
  const { shell, text } = useForm({
    defaults: DEFAULTS,
    schema: passwordBody,
    toBody: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
    ownIssues: ({ newPassword, confirm }) =>
      newPassword === confirm ? [] : [{ path: 'confirm', message: AUTH_MESSAGES.passwordsDiffer }],
    submit: async (body) => {
      await change.mutateAsync({ body });
      return { message: AUTH_MESSAGES.passwordChanged, to: paths.dashboard };
    },
    failed: AUTH_MESSAGES.passwordChangeFailed,
  });
  return (
    <>
      <PageTitle title="Change Password" context="Your other sessions end; this one goes on." />
      <FormShell
        {...shell}
        submitLabel="Change Password"
        busyLabel="Changing..."
        cancelTo={paths.dashboard}
        className="max-w-md"
      >
        <Card as="div">
          <CardBody className="flex flex-col gap-4">
            <PasswordField
              label="Current password"
              autoComplete="current-password"
              {...text('currentPassword')}
            />
            <PasswordField
              label="New password"
              autoComplete="new-password"
              hint="At least 8 characters; 15 or more are better."
              {...text('newPassword')}
            />
            <PasswordField
              label="Confirm new password"
              autoComplete="new-password"
              {...text('confirm')}
            />
          </CardBody>
        </Card>
      </FormShell>
    </>
  );
}
