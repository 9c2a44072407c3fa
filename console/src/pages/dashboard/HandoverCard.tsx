import { useEffect, useState } from 'react';
import {
  type Handover,
  HANDOVER_MAX_LENGTH,
  handoverUpdate,
  OVERVIEW_MESSAGES,
  overviewGet,
} from '@meridian/contract/overview';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Time } from '@meridian/ui/Time.tsx';
import { isConflict } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { ChangeError } from '@meridian/ui/failures.tsx';
import { TextArea } from '@meridian/ui/fields.tsx';
import { ifMatch } from '@meridian/ui/form/conflict.tsx';
import { draftAt, forgetDraft, useDraft } from '@meridian/ui/form/drafts.ts';
import { useUnsavedGuard } from '@meridian/ui/form/unsaved-changes.ts';
import { NOTHING } from '@meridian/ui/format.ts';
import { useRunOnce } from '@meridian/ui/hooks.ts';
import { showToast } from '@meridian/ui/toasts.ts';
import { paths } from '../../paths.ts';

interface NoteDraft {
  text: string;
  /** The note that it was written over: another one that was left meanwhile is not overwritten. */
  basis: Handover;
}

/** What was typed before the session ended. */
function keptNote(): NoteDraft | null {
  const kept = draftAt(paths.dashboard);
  // Nothing else on the dashboard keeps a draft.
  return kept === undefined
    ? null
    : { ...(kept.values as NoteDraft), basis: kept.first as Handover };
}

/** What one administrator leaves for the next. It is polled, also while one writes. */
export function HandoverCard({ handover }: { handover: Handover }) {
  const [kept] = useState(keptNote);
  /** Null while nothing is typed. */
  const [draft, setDraft] = useState(kept);
  const basis = draft?.basis ?? handover;
  const save = useEndpointMutation(handoverUpdate, { invalidates: [overviewGet] });
  const runOnce = useRunOnce();
  const { isPending } = save;
  /** Saved first by someone else: replaced only by a press that follows its being shown. */
  const rival = isConflict(save.error) && handover.version !== basis.version ? handover : undefined;
  useUnsavedGuard(draft !== null, isPending);
  useDraft(basis, { text: draft?.text }, draft !== null);
  // Not when it is read: that may happen twice before the card is there.
  useEffect(() => forgetDraft(paths.dashboard), []);

  // A failure is shown by the state of the mutation.
  function submit() {
    runOnce(async () => {
      await save.mutateAsync({
        headers: ifMatch(rival ?? basis),
        body: { text: draft?.text ?? '' },
      });
      // The session may have ended meanwhile: what is saved must not come back as unsaved.
      forgetDraft(paths.dashboard);
      setDraft(null);
      showToast({ message: OVERVIEW_MESSAGES.handoverSaved });
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
          // What is typed meanwhile would be cleared with the rest.
          readOnly={isPending}
          value={draft?.text ?? handover.text}
          onChange={({ target }) => setDraft({ text: target.value, basis })}
        />
        {kept !== null && draft?.basis === kept.basis && (
          <output className="text-sm text-muted">Your unsaved changes were restored</output>
        )}
        {rival === undefined ? (
          <ChangeError change={save} failed={OVERVIEW_MESSAGES.handoverFailed} />
        ) : (
          <Alert tone="amber" live="alert">
            The hand-over note was changed by someone else while you were writing. It now reads:
            <SafeText className="my-1 block whitespace-pre-line">{rival.text || NOTHING}</SafeText>
            Replace saves yours instead. Discard keeps theirs.
          </Alert>
        )}
        {draft !== null && (
          <div className="flex gap-2">
            <Button variant="primary" busy={isPending} busyLabel="Saving..." onClick={submit}>
              {rival === undefined ? 'Save' : 'Replace'}
            </Button>
            <Button
              aria-disabled={isPending || undefined}
              onClick={() => {
                if (isPending) return;
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
