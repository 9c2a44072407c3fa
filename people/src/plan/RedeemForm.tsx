import { type SubmitEvent, useState } from 'react';
import { formatDateTime } from '../../../console/src/ui/format-time.ts';
import { Alert } from '../../../console/src/ui/Alert.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { TextField } from '../../../console/src/ui/TextField.tsx';
import { calls } from '../api/calls.ts';
import { useAction } from '../api/use-action.ts';

/** The plan of a code holds at once; the sentence below the field says what became of the other. */
export function RedeemForm({ onRedeemed }: { onRedeemed: () => Promise<void> }) {
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState<string>();
  const [result, setResult] = useState<string>();
  const redeem = useAction(async () => {
    const { plan, earlier } = await calls.meTicketRedeem({ body: { code } });
    setCode('');
    // Said when the new limits are on the page.
    await onRedeemed();
    const until =
      plan.expiresAt === null ? '' : ` until ${formatDateTime(new Date(plan.expiresAt))}`;
    setResult(`Redeemed: ${plan.name}${until}.${earlier === null ? '' : ` ${earlier}.`}`);
  });
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const isMissing = code.trim() === '';
    setMissing(isMissing ? 'Enter your code' : undefined);
    setResult(undefined);
    if (isMissing) event.currentTarget.querySelector('input')?.focus();
    else void redeem.run();
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-2">
        <TextField
          label="Redeem a code"
          mono
          className="flex-1 basis-32"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={missing ?? redeem.error}
          value={code}
          onChange={({ target }) => {
            setCode(target.value);
            setMissing(undefined);
            redeem.clear();
          }}
        />
        {/* Below the line of the label, whatever stands below the field. */}
        <Button type="submit" busy={redeem.isBusy} className="mt-[1.59375rem]">
          Redeem
        </Button>
      </div>
      {result !== undefined && (
        <Alert tone="green" onDismiss={() => setResult(undefined)}>
          {result}
        </Alert>
      )}
    </form>
  );
}
