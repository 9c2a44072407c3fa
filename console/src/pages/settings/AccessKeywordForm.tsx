import {
  ACCESS_KEYWORD_MESSAGES,
  KEYWORD_MIN_LENGTH,
  accessKeywordCreate,
  accessKeywordList,
} from '@meridian/contract/access-keywords';
import { type SubmitEvent, useState } from 'react';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { ChangeError } from '../../components/ChangeError.tsx';
import { changedPaths } from '../../components/form/changes.ts';
import { useDraft, useRestored } from '../../components/form/use-draft.ts';
import { useUnsavedGuard } from '../../components/form/use-unsaved-guard.ts';
import { useRunOnce } from '../../components/use-run-once.ts';
import { Button } from '../../ui/Button.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { parseNumber } from '../../ui/number-text.ts';
import { TextField } from '../../ui/TextField.tsx';
import { showToast } from '../../ui/toast-store.ts';

const EMPTY = { word: '', maxUses: '', expires: '' };
const LATEST = '2099-12-31T23:59';

export function AccessKeywordForm() {
  const { initial, forget } = useRestored(EMPTY, true);
  const [values, setValues] = useState(initial);
  const [problem, setProblem] = useState<Partial<typeof EMPTY>>({});
  const create = useEndpointMutation(accessKeywordCreate, { invalidates: [accessKeywordList] });
  const runOnce = useRunOnce();
  const isDirty = changedPaths(EMPTY, values).length > 0;
  useDraft(EMPTY, values, isDirty);
  useUnsavedGuard(isDirty, create.isPending);
  const set = (name: keyof typeof EMPTY, value: string) =>
    setValues((now) => ({ ...now, [name]: value }));

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { word, maxUses, expires } = values;
    const uses = maxUses.trim() === '' ? null : parseNumber(maxUses);
    const isShort = word.trim().length < KEYWORD_MIN_LENGTH;
    const isWrong = maxUses.trim() !== '' && (uses === null || uses < 1);
    const inputs = event.currentTarget.querySelectorAll('input');
    // Half a date has the value of none; only the field itself knows the difference.
    const isHalf = inputs[2]?.validity.badInput === true;
    setProblem({
      ...(isShort && { word: `At least ${KEYWORD_MIN_LENGTH} characters` }),
      ...(isWrong && { maxUses: 'A whole number of at least 1, or nothing' }),
      ...(isHalf && { expires: 'The expiry needs both a date and a time' }),
    });
    const wrong = [isShort, isWrong, isHalf].indexOf(true);
    if (wrong !== -1) {
      // To the first field that has to be corrected, as in every form.
      inputs[wrong]?.focus();
      return;
    }
    const expiresAt = expires === '' ? null : new Date(expires).toISOString();
    // A failure is shown by the state of the mutation.
    runOnce(async () => {
      await create.mutateAsync({ body: { word, maxUses: uses, expiresAt } });
      // The session may have ended meanwhile: what is saved must not come back as unsaved.
      forget();
      setValues(EMPTY);
      showToast({ message: 'Access keyword created' });
    }).catch(() => {});
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3 px-5 pb-4">
      <div className="grid items-start gap-3 @xl:grid-cols-[minmax(0,1fr)_6rem_13rem]">
        <TextField
          label="Keyword"
          mono
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          error={problem.word}
          readOnly={create.isPending}
          value={values.word}
          onChange={({ target }) => set('word', target.value)}
        />
        <NumberField
          label="Uses"
          placeholder="Any"
          min={1}
          error={problem.maxUses}
          readOnly={create.isPending}
          value={values.maxUses}
          onValueChange={(text) => set('maxUses', text)}
        />
        <TextField
          type="datetime-local"
          label="Expires (optional)"
          max={LATEST}
          error={problem.expires}
          readOnly={create.isPending}
          value={values.expires}
          onChange={({ target }) => set('expires', target.value)}
        />
      </div>
      <ChangeError change={create} failed={ACCESS_KEYWORD_MESSAGES.createFailed} />
      <Button type="submit" className="self-end" busy={create.isPending} busyLabel="Creating...">
        Create Keyword
      </Button>
    </form>
  );
}
