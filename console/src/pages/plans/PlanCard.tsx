import { englishOr } from '@meridian/contract/fields';
import { type Plan, PLAN_MESSAGES } from '@meridian/contract/plans';
import { TierBadge } from '../../components/TierBadge.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { Card } from '../../ui/Card.tsx';
import { cx } from '../../ui/cx.ts';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { cardLimits } from './plan-card-limits.ts';
import { usdPriceText } from './plan-price.ts';
import { PlanActions } from './PlanActions.tsx';

interface PlanCardProps {
  plan: Plan;
  /** A change may take the card out of the list in view, and the focus with it. */
  onChanged: () => void;
}

export function PlanCard({ plan, onChanged }: PlanCardProps) {
  const name = englishOr(plan.displayName, plan.name);
  const isPaid = plan.priceMonthly !== null;
  const isQuiet = !plan.isActive || !plan.isVisible;
  const titleId = `plan-${plan.id}`;
  return (
    <Card
      as="li"
      aria-labelledby={titleId}
      tabIndex={-1}
      className={cx('flex flex-col', isQuiet && 'bg-transparent')}
    >
      <div className="flex flex-1 flex-col px-5 pt-5 pb-4">
        <div className="flex flex-wrap items-center gap-1.5">
          <TierBadge tier={plan.tier} />
          <span className="ms-auto flex flex-wrap gap-1.5">
            <StatusBadge status={plan.isActive ? 'ACTIVE' : 'INACTIVE'} />
            {!plan.isVisible && <StatusBadge status="HIDDEN" />}
          </span>
        </div>
        <h2
          id={titleId}
          title={name}
          className={cx(
            'mt-3 line-clamp-2 text-lg wrap-anywhere',
            isQuiet ? 'text-muted' : 'text-text',
          )}
        >
          <SafeText>{name}</SafeText>
        </h2>
        {/* Grows, so that the prices of a row stand on one line. */}
        <div className="mt-1 min-h-[2lh] flex-1 text-sm text-muted">
          <p className="line-clamp-3 wrap-anywhere">
            <SafeText>{englishOr(plan.description, PLAN_MESSAGES.noDescription)}</SafeText>
          </p>
        </div>
        <p className="mt-3 flex flex-wrap items-baseline gap-x-4 border-b border-border pb-4 text-base text-muted">
          <span>
            <span className={cx('text-[1.375rem] font-semibold', !isQuiet && 'text-text')}>
              {isPaid ? usdPriceText(plan.priceMonthly) : 'Free'}
            </span>
            {isPaid && ' / month'}
          </span>
          {isPaid && <span>{usdPriceText(plan.priceYearly)} / year</span>}
        </p>
        {/* The left column holds the longest pair: 'Pending posts' and 'Unlimited'. */}
        <DescriptionList
          dense
          minColumn="100%"
          className="mt-4 @xl:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]!"
        >
          {cardLimits(plan.limits).map(({ label, text }) => (
            <DescriptionItem key={label} inline label={label}>
              {text}
            </DescriptionItem>
          ))}
          <DescriptionItem inline label="Order">
            {formatNumber(plan.displayOrder)}
          </DescriptionItem>
        </DescriptionList>
      </div>
      <PlanActions plan={plan} name={name} titleId={titleId} onChanged={onChanged} />
    </Card>
  );
}
