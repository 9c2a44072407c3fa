import type { Me } from '@meridian/contract/me/account';
import { useId } from 'react';
import { Badge } from '../../../console/src/ui/Badge.tsx';
import { Card } from '../../../console/src/ui/Card.tsx';
import { CardBody } from '../../../console/src/ui/CardBody.tsx';
import { CardHeader } from '../../../console/src/ui/CardHeader.tsx';
import { formatMegabytes, formatNumber } from '../../../console/src/ui/format-number.ts';
import { formatDateTime } from '../../../console/src/ui/format-time.ts';
import { SafeText } from '../../../console/src/ui/SafeText.tsx';
import type { Tone } from '../../../console/src/ui/tone.ts';
import { limitOf, limitsOf } from '../limits.ts';
import { RedeemForm } from './RedeemForm.tsx';
import { UsageBar } from './UsageBar.tsx';

const TIER_TONES: Readonly<Record<string, Tone>> = {
  BASIC: 'blue',
  PREMIUM: 'violet',
  ENTERPRISE: 'amber',
};
const MEGABYTE = 1024 * 1024;
const megabytes = (bytes: number) => formatMegabytes(Math.round((bytes / MEGABYTE) * 10) / 10);

export function PlanCard({ me, onRedeemed }: { me: Me; onRedeemed: () => Promise<void> }) {
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
        <RedeemForm onRedeemed={onRedeemed} />
      </CardBody>
    </Card>
  );
}
