import type { BodyInput } from '@meridian/contract/endpoint';
import {
  outcomeOf,
  PACE_DEFAULT,
  PACE_MAX,
  RESUME_BAND_NAMES,
  RESUME_BANDS,
  type ResumeBand,
  type ResumeState,
  type serviceResume,
} from '@meridian/contract/suspension';
import { useEffect, useState } from 'react';
import { postsText } from '../../components/engine/count-words.ts';
import { formatDuration } from '../../ui/format-duration.ts';
import { parseNumber } from '../../ui/number-text.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { Select } from '../../ui/Select.tsx';

export type ResumePlan = NonNullable<BodyInput<typeof serviceResume>>;

const FATES = [
  { value: 'publish', label: 'Publish late' },
  { value: 'tooLate', label: 'Mark as too late' },
] as const;

interface ResumePlanFieldsProps {
  preview: ResumeState;
  onChange: (plan: ResumePlan) => void;
}

/** For each age whether its posts are published or given up, the pace, and what comes of it. */
export function ResumePlanFields({ preview, onChange }: ResumePlanFieldsProps) {
  const { token, bands, held, lateLimitMinutes } = preview;
  const waiting = bands.filter(({ count }) => count > 0);
  // At first what the usual rule would give up.
  const [tooLate, setTooLate] = useState<readonly ResumeBand[]>(() =>
    RESUME_BAND_NAMES.filter((band) => RESUME_BANDS[band].from >= lateLimitMinutes),
  );
  const [pace, setPace] = useState(String(PACE_DEFAULT));
  const perMinute = parseNumber(pace) ?? 0;
  const isPace = perMinute >= 1 && perMinute <= PACE_MAX;
  const { publish, tooLate: givenUp, minutes } = outcomeOf(bands, tooLate, perMinute);
  // The preview may be read again meanwhile: the plan is then for those posts.
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

/** 'Up to 15 minutes late', '1 h to 6 h late', 'More than 24 h late' */
function bandText(band: ResumeBand): string {
  const { from, to } = RESUME_BANDS[band];
  const [begin, end] = [from, to].map((minutes) => formatDuration((minutes ?? 0) * 60_000));
  if (from === 0) return `Up to ${end} late`;
  return to === null ? `More than ${begin} late` : `${begin} to ${end} late`;
}
