import { useEffect, useState } from 'react';
import {
  type Handover,
  HANDOVER_MAX_LENGTH,
  handoverUpdate,
  type Overview,
  OVERVIEW_COUNT_MAX,
  OVERVIEW_MESSAGES,
  overviewGet,
  type Visit,
} from '@meridian/contract/overview';
import { ANY_HOLD } from '@meridian/contract/posts';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { useNow } from '@meridian/ui/DataAge.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Time } from '@meridian/ui/Time.tsx';
import { isConflict } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { ChangeError } from '@meridian/ui/failures.tsx';
import { TextArea } from '@meridian/ui/fields.tsx';
import { ifMatch } from '@meridian/ui/form/conflict.tsx';
import { draftAt, forgetDraft, useDraft } from '@meridian/ui/form/drafts.ts';
import { useUnsavedGuard } from '@meridian/ui/form/unsaved-changes.ts';
import { formatDateTime, formatDuration, NOTHING } from '@meridian/ui/format.ts';
import { useRunOnce } from '@meridian/ui/hooks.ts';
import { showToast } from '@meridian/ui/toasts.ts';
import { DueCard } from '../../components/DueCard.tsx';
import {
  conditionOf,
  CountLink,
  countWithCeiling,
  Figure,
  type FigureProps,
  OWNER_LABELS,
  type PostListFilter,
  postListAt,
} from '../../components/figures.tsx';
import { paths } from '../../paths.ts';

export function OverviewFigures({ overview }: { overview: Overview | undefined }) {
  const condition = overview && conditionOf(overview.engine);
  const lateness = overview?.engine.lastMinute.lateness;
  const { overdue, stuck, held, failed } = overview ?? {};
  const window = { failedFrom: failed?.from ?? '', failedTo: failed?.to ?? '' };
  const byOwner = failed?.byOwner.filter(({ count }) => count > 0);
  const heldParts = held?.map((row): Part => [row.sentence, row.count, { hold: row.hold }]);
  const failedParts = byOwner?.map(({ owner, count }): Part => [
    OWNER_LABELS[owner].label,
    count,
    { owner, ...window },
  ]);
  const figures: Omit<FigureProps, 'level'>[] = [
    {
      title: 'Overdue',
      to: postListAt({ overdue: 'true' }),
      below: overdue && oldestText(overdue, 'Nothing is overdue'),
      children: overdue && countText(overdue.count),
    },
    {
      title: 'Stuck',
      to: postListAt({ stuck: 'true' }),
      below: stuck && oldestText(stuck, 'No post is stuck'),
      children: stuck && countText(stuck.count),
    },
    {
      title: 'Lateness, last minute',
      to: paths.engine,
      below: overview && latenessText(overview.engine.lastMinute),
      children: overview && (lateness ? formatDuration(lateness.p50Ms) : NOTHING),
    },
    {
      title: 'Held',
      to: postListAt({ hold: ANY_HOLD }),
      below: held && (held.length === 0 ? 'No post is held' : 'Published once the reason is gone'),
      children: held && countText(sumOf(held)),
      parts: <Parts rows={heldParts} />,
    },
    {
      title: 'Failed, last 24 hours',
      to: postListAt(window),
      below: byOwner && (byOwner.length === 0 ? 'No post failed' : 'By who can fix it'),
      children: byOwner && countText(sumOf(byOwner)),
      parts: (
        <>
          <Parts rows={failedParts} />
          <CountLink to={paths.failures}>See the causes</CountLink>
        </>
      ),
    },
    { title: 'Engine', to: paths.engine, below: condition?.below, children: condition?.badge },
  ];
  return (
    <ul className="grid gap-4 @xl:grid-cols-2 @4xl:grid-cols-3">
      {figures.map((figure) => (
        <Figure key={figure.title} level={3} {...figure} />
      ))}
    </ul>
  );
}

type Part = [label: string, count: number, list: PostListFilter];

function Parts({ rows }: { rows: readonly Part[] | undefined }) {
  return (
    <ul className="mt-2 flex flex-col gap-1 text-sm empty:hidden">
      {rows?.map(([label, count, list]) => (
        <li key={label} className="flex min-h-6 items-center justify-between gap-4">
          {label}
          <CountLink to={postListAt(list)} label={`${label}: ${countText(count)}`}>
            {countText(count)}
          </CountLink>
        </li>
      ))}
    </ul>
  );
}

/** The next hour by minute and the next day by quarter hours; every bar opens its list. */
export function DueCharts({ overview }: { overview: Overview | undefined }) {
  const now = useNow();
  return (
    <div className="grid gap-4 @3xl:grid-cols-2">
      {CHARTS.map(({ part, ...chart }) => {
        const due = overview?.[part];
        const start = due ? new Date(due.from) : now;
        return (
          <DueCard
            key={part}
            level={3}
            {...chart}
            from={start}
            due={due?.slots}
            countedTo={due?.countedTo}
            to={due && pendingAt(start, new Date(due.countedTo ?? due.to))}
            linkOf={(from, to) => pendingAt(from < start ? start : from, to)}
          />
        );
      })}
    </div>
  );
}

const CHARTS = [
  { part: 'nextHour', title: 'Due in the next hour', unit: 'minute', stepMinutes: 1, length: 60 },
  {
    part: 'nextDay',
    title: 'Due in the next 24 hours',
    unit: 'quarter of an hour',
    stepMinutes: 15,
    length: 96,
  },
] as const;

const pendingAt = (from: Date, to: Date) =>
  postListAt({ status: 'PENDING', from: from.toISOString(), to: to.toISOString(), order: 'asc' });

export function VisitCard({ visit }: { visit: Visit | null }) {
  return (
    <Card aria-labelledby="visit">
      <CardHeader
        level={3}
        title="Since your last visit"
        titleId="visit"
        description={visit ? <Time value={visit.since} /> : 'This is your first visit.'}
      />
      {visit && (
        <CardBody>
          <DescriptionList minColumn={TWO_BY_TWO}>
            {countsOf(visit).map(([label, count, list]) => (
              <DescriptionItem key={label} label={label}>
                <CountLink to={list} label={`${label}: ${countText(count)}`}>
                  {countText(count)}
                </CountLink>
              </DescriptionItem>
            ))}
            <DescriptionItem label="Settings changed" wide>
              {visit.settings.length === 0 && 'No'}
              {visit.settings.map(({ at, by, changes }) => (
                <p key={at}>
                  <CountLink to={paths.settings}>
                    {Object.entries(changes).map(changeText).join(', ')}
                  </CountLink>{' '}
                  by <SafeText>{by}</SafeText>, <Time value={at} />
                </p>
              ))}
            </DescriptionItem>
          </DescriptionList>
        </CardBody>
      )}
    </Card>
  );
}

/** A fourth item beside three would stand alone. */
const TWO_BY_TWO = 'max(6.75rem, 34%)';

const countsOf = ({
  since,
  to,
  ...visit
}: Visit): [label: string, count: number, list: string][] => [
  // The newest users come first in the list.
  ['New people', visit.people, paths.users],
  ['Published', visit.published, postListAt({ status: 'COMPLETED', from: since, to })],
  ['Failed', visit.failed, postListAt({ failedFrom: since, failedTo: to })],
  ['Tickets redeemed', visit.redeemed, paths.tickets],
];

const SETTINGS: Readonly<Record<string, string>> = {
  is_closed_beta: 'Closed beta',
  is_service_suspended: 'Service suspension',
  expected_end_at: 'Expected end',
  notice_for_people: 'Notice for users',
};

/** 'Closed beta on' */
function changeText([name, value]: [string, unknown]): string {
  const state = typeof value === 'boolean' ? (value ? 'on' : 'off') : 'changed';
  return `${SETTINGS[name] ?? name} ${state}`;
}

/** The note for the next administrator. It is polled, also while one writes. */
export function HandoverCard({ handover }: { handover: Handover }) {
  const [kept] = useState(keptDraft);
  /** Null while nothing is typed. */
  const [draft, setDraft] = useState(kept);
  const basis = draft?.basis ?? handover;
  const save = useEndpointMutation(handoverUpdate, { invalidates: [overviewGet] });
  const runOnce = useRunOnce();
  const { isPending } = save;
  /** The note that someone else saved first. Only a press after it is shown replaces it. */
  const rival = isConflict(save.error) && handover.version !== basis.version ? handover : undefined;
  useUnsavedGuard(draft !== null, isPending);
  useDraft(basis, { text: draft?.text }, draft !== null);
  // The draft may be read twice before the card is there, so it is forgotten only then.
  useEffect(() => forgetDraft(paths.dashboard), []);

  // A failure is shown by the state of the mutation.
  function submit() {
    runOnce(async () => {
      const body = { text: draft?.text ?? '' };
      await save.mutateAsync({ headers: ifMatch(rival ?? basis), body });
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
        description={writtenBy(handover)}
      />
      <CardBody className="flex flex-col gap-3">
        <TextArea
          label="Note for the next administrator"
          labelHidden
          rows={4}
          maxLength={HANDOVER_MAX_LENGTH}
          // Text typed meanwhile would be cleared with the rest.
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

function writtenBy({ author, updatedAt }: Handover) {
  if (author === null) return 'For the next administrator';
  return (
    <>
      <SafeText>{author}</SafeText>, <Time value={updatedAt} />
    </>
  );
}

/** Gives back what was typed before the session ended, and the note that it was typed over. */
function keptDraft(): { text: string; basis: Handover } | null {
  const kept = draftAt(paths.dashboard);
  if (kept === undefined) return null;
  // Nothing else on the dashboard keeps a draft.
  return { ...(kept.values as { text: string }), basis: kept.first as Handover };
}

const countText = (count: number) => countWithCeiling(count, OVERVIEW_COUNT_MAX);
const sumOf = (parts: readonly { count: number }[]) =>
  parts.reduce((sum, { count }) => sum + count, 0);
const oldestText = ({ oldestAt }: Overview['overdue'], none: string) =>
  oldestAt === null ? none : `Oldest due ${formatDateTime(new Date(oldestAt))}`;

function latenessText({ lateness }: Overview['engine']['lastMinute']): string {
  if (lateness === null) return 'Nothing measured';
  const { p95Ms } = lateness;
  return p95Ms === undefined ? 'p95 not reported' : `p95 ${formatDuration(p95Ms)}`;
}
