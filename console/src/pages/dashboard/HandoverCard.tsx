import {
  type Handover,
  HANDOVER_MAX_LENGTH,
  handoverUpdate,
  NOW_MESSAGES,
  nowGet,
} from '@meridian/contract/now';
import { useState } from 'react';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { ChangeError } from '../../components/ChangeError.tsx';
import { ifMatch } from '../../components/form/use-conflict.ts';
import { useUnsavedGuard } from '../../components/form/use-unsaved-guard.ts';
import { useRunOnce } from '../../components/use-run-once.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { Time } from '../../ui/Time.tsx';
import { showToast } from '../../ui/toast-store.ts';

/** What one administrator leaves for the next. It is polled, also while one writes. */
export function HandoverCard({ handover }: { handover: Handover }) {
  /** Null while nothing is typed. */
  const [draft, setDraft] = useState<{ text: string; basis: Handover } | null>(null);
  const basis = draft?.basis ?? handover;
  const save = useEndpointMutation(handoverUpdate, {
    invalidates: [nowGet],
    headers: ifMatch(basis),
  });
  const runOnce = useRunOnce();
  useUnsavedGuard(draft !== null);

  // A failure is shown by the state of the mutation.
  function submit() {
    runOnce(async () => {
      await save.mutateAsync({ body: { text: draft?.text ?? '' } });
      setDraft(null);
      showToast({ message: NOW_MESSAGES.handoverSaved });
    }).catch(() => {});
  }

  return (
    <Card aria-labelledby="handover">
      <CardHeader
        level={3}
        title="Hand-over note"
        titleId="handover"
        description={
          handover.author === null ? (
            'For the next administrator'
          ) : (
            <>
              <SafeText>{handover.author}</SafeText>, <Time value={handover.updatedAt} />
            </>
          )
        }
      />
      <CardBody className="flex flex-col gap-3">
        <TextArea
          label="Note for the next administrator"
          labelHidden
          rows={4}
          maxLength={HANDOVER_MAX_LENGTH}
          value={draft?.text ?? handover.text}
          onChange={({ target }) => setDraft({ text: target.value, basis })}
        />
        <ChangeError change={save} failed={NOW_MESSAGES.handoverFailed} />
        {draft !== null && (
          <div className="flex gap-2">
            <Button variant="primary" busy={save.isPending} busyLabel="Saving..." onClick={submit}>
              Save
            </Button>
            <Button
              onClick={() => {
                setDraft(null);
                save.reset();
              }}
            >
              Discard
            </Button>
          </div>
        )}
      </CardBody>
    </Card>
  );
}
