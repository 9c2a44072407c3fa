import { type SubmitEvent, useId, useState } from 'react';
import type { Me } from '@meridian/contract/me/account';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Badge, type Tone } from '@meridian/ui/Badge.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { call } from '@meridian/ui/api/call.ts';
import { cx } from '@meridian/ui/classes.ts';
import { TextField } from '@meridian/ui/fields.tsx';
import { formatDateTime, formatMegabytes, formatNumber } from '@meridian/ui/format.ts';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import { useAction } from '../api/actions.ts';
import { meTicketRedeem } from '../api/calls.ts';
import { readAgain } from '../api/reads.ts';
import { limitOf, limitsOf } from '../composer/draft.ts';

const TIER_TONES: Readonly<Record<string, Tone>> = {
  BASIC: 'blue',
  PREMIUM: 'violet',
  ENTERPRISE: 'amber',
};
const MEGABYTE = 1024 * 1024;
const megabytes = (bytes: number) => formatMegabytes(Math.round((bytes / MEGABYTE) * 10) / 10);

export function PlanCard({ me }: { me: Me }) {
  const titleId = useId();
  const { plan, limits, usage } = me;
  const storageMb = limitOf(limits, 'storage_mb', -1);
  const { pictures, parts, slotMinutes, days } = limitsOf(limits);
  const included = [
    pictures === 0
      ? 'No pictures'
      : `${pictures} ${pictures === 1 ? 'picture' : 'pictures'} per post`,
    parts === 1 ? 'No threads' : `Threads of up to ${parts} posts`,
    slotMinutes === 1 ? 'Any minute' : `Every ${slotMinutes} minutes`,
    ...(days < 0 ? [] : [`Up to ${days} days ahead`]),
  ];
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        title="Your plan"
        titleId={titleId}
        actions={
          plan.tier !== null && (
            <Badge tone={TIER_TONES[plan.tier] ?? 'gray'}>
              <SafeText>{plan.name ?? plan.tier}</SafeText>
            </Badge>
          )
        }
      />
      <CardBody className="flex flex-col gap-4">
        {plan.expiresAt !== null && (
          <p className="-mt-2 text-sm text-muted">
            Ends {formatDateTime(new Date(plan.expiresAt))}
          </p>
        )}
        <UsageBar
          label="Posts this month"
          used={usage.postsThisMonth}
          limit={limitOf(limits, 'monthly_posts_limit', -1)}
          format={formatNumber}
          hint={`Starts again ${formatDateTime(new Date(usage.monthEndsAt))}`}
        />
        <UsageBar
          label="Waiting posts"
          used={usage.pendingPosts}
          limit={limitOf(limits, 'pending_posts_limit', -1)}
          format={formatNumber}
        />
        <UsageBar
          label="Storage"
          used={usage.storageBytes}
          limit={storageMb < 0 ? -1 : storageMb * MEGABYTE}
          format={megabytes}
        />
        <p className="text-sm text-muted">{included.join(' · ')}</p>
        <hr className="border-border" />
        <RedeemForm />
      </CardBody>
    </Card>
  );
}

const BARS = ['posts', 'waiting', 'storage'];

/** It stands beside the posts only: below them it would move as they arrive. */
export function PlanSkeleton() {
  return (
    <Card as="div" className="@max-4xl:hidden">
      <CardHeader title="Your plan" />
      <CardBody className="flex flex-col gap-6">
        {BARS.map((bar) => (
          <Skeleton key={bar} height="2rem" className="rounded" />
        ))}
      </CardBody>
    </Card>
  );
}

/** The plan of a code holds at once; the sentence below the field says what became of the other. */
function RedeemForm() {
  const [code, setCode] = useState('');
  const [missing, setMissing] = useState<string>();
  const [result, setResult] = useState<string>();
  const redeem = useAction(async () => {
    const { plan, earlier } = await call(meTicketRedeem, { body: { code } });
    setCode('');
    // The result is told when the new limits are on the page.
    await readAgain();
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
        {/* The margin is the line of the label. */}
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

type UsageBarProps = {
  label: string;
  used: number;
  /** A negative limit is none. */
  limit: number;
  format: (value: number) => string;
  hint?: string | undefined;
};

const NEARLY = 0.8;

function UsageBar({ label, used, limit, format, hint }: UsageBarProps) {
  const id = useId();
  const isUnlimited = limit < 0;
  const share = isUnlimited ? 0 : limit === 0 ? 1 : Math.min(1, used / limit);
  const tone = share >= 1 ? 'bg-red-mark' : share >= NEARLY ? 'bg-amber-mark' : 'bg-blue-mark';
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span id={id} className="font-medium">
          {label}
        </span>
        <span className="text-muted tabular-nums">
          {isUnlimited ? `${format(used)}, unlimited` : `${format(used)} of ${format(limit)}`}
        </span>
      </div>
      {!isUnlimited && (
        <div
          // The element of that name takes no colours of ours.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="meter"
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(used, limit)}
          aria-valuetext={`${format(used)} of ${format(limit)}`}
          className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken forced-colors:border"
        >
          <div
            style={{ width: `${share * 100}%` }}
            className={cx('color-mark h-full rounded-full', tone)}
          />
        </div>
      )}
      {hint !== undefined && <p className="mt-1 text-xs text-muted">{hint}</p>}
    </div>
  );
}
