import { type SyntheticEvent, useEffect, useState } from 'react';
import type { BodyInput } from '@meridian/contract/endpoint';
import type { EngineState, Suspension } from '@meridian/contract/engine';
import {
  NOTICE_MAX_LENGTH,
  outcomeOf,
  PACE_DEFAULT,
  PACE_MAX,
  RESUME_BAND_NAMES,
  RESUME_BANDS,
  type ResumeBand,
  resumePreview,
  type ResumeState,
  type serviceResume,
  SUSPENSION_MESSAGES,
} from '@meridian/contract/suspension';
import { NumberField, parseNumber } from '@meridian/ui/NumberField.tsx';
import { useEndpointQuery } from '@meridian/ui/api/query.ts';
import { Select } from '@meridian/ui/choices.tsx';
import { LoadError } from '@meridian/ui/failures.tsx';
import { TextField } from '@meridian/ui/fields.tsx';
import { useDraft, useRestored } from '@meridian/ui/form/drafts.ts';
import { changedPaths } from '@meridian/ui/form/field-path.ts';
import {
  formatDuration,
  LATEST_LOCAL_TIME,
  localTimeText,
  parseTime,
  TIME_ZONE,
} from '@meridian/ui/format.ts';
import { postsText } from '../../components/figures.tsx';

export type SuspensionDetails = Pick<Suspension, 'expectedEndAt' | 'noticeForPeople'>;

interface SuspendFieldsProps {
  initial?: SuspensionDetails | undefined;
  /** An end that is only half typed is passed on as it is, for the server to refuse. */
  onChange: (details: SuspensionDetails) => void;
}

export function SuspendFields({ initial = NONE, onChange }: SuspendFieldsProps) {
  const [first] = useState(() => {
    const endsAt = parseTime(initial.expectedEndAt);
    return {
      end: endsAt === undefined ? '' : localTimeText(endsAt),
      notice: initial.noticeForPeople ?? '',
    };
  });
  const restored = useRestored(first, true, DRAFT);
  const [values, setValues] = useState(restored.initial);
  const [isHalf, setHalf] = useState(false);
  const { end, notice } = values;
  useDraft(first, values, changedPaths(first, values).length > 0, DRAFT);

  // Restored values are passed on before anything is typed.
  useEffect(() => {
    const typed = end === '' ? null : new Date(end).toISOString();
    // An end that was not changed keeps its seconds.
    const whole = end === first.end ? initial.expectedEndAt : typed;
    onChange({ expectedEndAt: isHalf ? 'incomplete' : whole, noticeForPeople: notice || null });
  }, [onChange, initial, first, end, isHalf, notice]);

  function setEnd({ currentTarget: { validity, value } }: SyntheticEvent<HTMLInputElement>) {
    setHalf(validity.badInput);
    setValues({ ...values, end: value });
  }
  return (
    <>
      <TextField
        type="datetime-local"
        label="Expected end (optional)"
        hint={`In your time zone, ${TIME_ZONE}`}
        className="mb-4"
        max={LATEST_LOCAL_TIME}
        defaultValue={restored.initial.end}
        onInput={setEnd}
        onBlur={setEnd}
      />
      <TextField
        label="Notice for users (optional)"
        hint="Users read this, not the reason"
        className="mb-4"
        autoComplete="off"
        maxLength={NOTICE_MAX_LENGTH}
        value={notice}
        onChange={(event) => setValues({ ...values, notice: event.target.value })}
      />
    </>
  );
}

const NONE: SuspensionDetails = { expectedEndAt: null, noticeForPeople: null };
/** Tells the draft from that of the form for access keywords at the same address. */
const DRAFT = 'suspension';

export type ResumePlan = NonNullable<BodyInput<typeof serviceResume>>;

interface ResumeFieldsProps {
  state: EngineState;
  onChange: (plan: ResumePlan | undefined) => void;
}

/** The choice between the usual rule and a plan by how late the waiting posts are. */
export function ResumeFields({ state, onChange }: ResumeFieldsProps) {
  const [mode, setMode] = useState<(typeof MODES)[number]['value']>('usual');
  const isPlanned = mode === 'plan';
  // The numbers are those of this moment.
  const query = useEndpointQuery(resumePreview, {}, { enabled: isPlanned, staleTimeMs: 0 });
  return (
    <div className="mb-4 flex flex-col gap-4">
      {state.waiting.count > 0 && (
        <Select
          label="Posts that wait"
          options={MODES}
          value={mode}
          onValueChange={(next) => {
            setMode(next);
            onChange(next === 'plan' ? UNCOUNTED : undefined);
          }}
        />
      )}
      {!isPlanned && <ResumeConsequence state={state} />}
      {isPlanned && <LoadError query={query} failed={SUSPENSION_MESSAGES.previewFailed} />}
      {isPlanned && query.isPending && <output className="text-muted">Counting...</output>}
      {isPlanned && query.data !== undefined && (
        <ResumePlanFields preview={query.data} onChange={onChange} />
      )}
    </div>
  );
}

const MODES = [
  { value: 'usual', label: 'By the usual rule' },
  { value: 'plan', label: 'By how late they are' },
] as const;

/** The server refuses it: without a count nothing may resume by the usual rule instead. */
const UNCOUNTED: ResumePlan = { token: '', tooLate: [], perMinute: PACE_DEFAULT };

interface ResumePlanFieldsProps {
  preview: ResumeState;
  onChange: (plan: ResumePlan) => void;
}

/** Publishes or gives up the posts of each age, and shows the effect. */
function ResumePlanFields({ preview, onChange }: ResumePlanFieldsProps) {
  const { token, bands, held, lateLimitMinutes } = preview;
  const waiting = bands.filter(({ count }) => count > 0);
  // The usual rule would give these up.
  const [tooLate, setTooLate] = useState<readonly ResumeBand[]>(() =>
    RESUME_BAND_NAMES.filter((band) => RESUME_BANDS[band].from >= lateLimitMinutes),
  );
  const [pace, setPace] = useState(String(PACE_DEFAULT));
  const perMinute = parseNumber(pace) ?? 0;
  const isPace = perMinute >= 1 && perMinute <= PACE_MAX;
  const { publish, tooLate: givenUp, minutes } = outcomeOf(bands, tooLate, perMinute);
  // When the preview is read again, the plan is for its posts.
  useEffect(() => {
    const named = bands.filter(({ band, count }) => count > 0 && tooLate.includes(band));
    onChange({ token, tooLate: named.map(({ band }) => band), perMinute });
  }, [onChange, token, bands, tooLate, perMinute]);
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Posts by how late they are</legend>
        {waiting.map(({ band, count }) => (
          <Select
            key={band}
            label={`${bandText(band)}: ${postsText(count)}`}
            options={FATES}
            value={tooLate.includes(band) ? 'tooLate' : 'publish'}
            onValueChange={(fate) => {
              const others = tooLate.filter((one) => one !== band);
              setTooLate(fate === 'tooLate' ? [...others, band] : others);
            }}
          />
        ))}
      </fieldset>
      <NumberField
        label="Posts a minute"
        min={1}
        max={PACE_MAX}
        value={pace}
        onValueChange={setPace}
        error={isPace ? undefined : `Type a whole number from 1 to ${PACE_MAX}`}
      />
      <div aria-live="polite" className="text-base text-text">
        {isPace && publish > 0 && (
          <p>
            {postsText(publish)} will be published late, oldest first, over{' '}
            {formatDuration(Math.max(1_000, minutes * 60_000))}.
          </p>
        )}
        {givenUp > 0 && <p>{postsText(givenUp)} will be marked as too late.</p>}
        {held > 0 && <p>{postsText(held)} stay held: their user or account cannot publish.</p>}
      </div>
      <p className="text-sm text-muted">
        The usual limit is {lateLimitMinutes} minutes. Posts that become due from now on go out as
        usual.
      </p>
    </>
  );
}

const FATES = [
  { value: 'publish', label: 'Publish late' },
  { value: 'tooLate', label: 'Mark as too late' },
] as const;

/** 'Up to 15 minutes late', '1 h to 6 h late', 'More than 24 h late' */
function bandText(band: ResumeBand): string {
  const { from, to } = RESUME_BANDS[band];
  const [begin, end] = [from, to].map((minutes) => formatDuration((minutes ?? 0) * 60_000));
  if (from === 0) return `Up to ${end} late`;
  return to === null ? `More than ${begin} late` : `${begin} to ${end} late`;
}

function ResumeConsequence({ state }: { state: EngineState }) {
  const { waiting, lateLimitMinutes, isAlive } = state;
  const late = `more than ${lateLimitMinutes} minutes late and will be marked as failed.`;
  const isOne = waiting.count === 1;
  return (
    <div className="text-base text-muted">
      <p className="mt-2">{waitingText(waiting)}</p>
      {waiting.tooLate > 0 && (
        <p className="mt-2 text-text">
          {isOne
            ? `It is ${late}`
            : `${postsText(waiting.tooLate)} of them ${waiting.tooLate === 1 ? 'is' : 'are'} ${late}`}
        </p>
      )}
      {!isAlive && (
        <p className="mt-2">No engine is running: nothing is published until one is started.</p>
      )}
    </div>
  );
}

function waitingText({ count, tooLate }: EngineState['waiting']): string {
  if (count === 0) return 'No post is waiting.';
  if (count === 1) return `1 post is waiting.${tooLate === 0 ? ' It goes out at once.' : ''}`;
  return `${postsText(count)} are waiting. They go out oldest first, one per user and schedule interval.`;
}
