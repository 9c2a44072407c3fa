import { englishOr } from '@meridian/contract/fields';
import type { PlanLimits } from '@meridian/contract/plan-limits';
import type { Plan } from '@meridian/contract/plans';
import { limitLabel, limitText } from '../../components/limit-text.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { OverrideMark } from '../../components/OverrideMark.tsx';
import { compareLimits } from './ticket-limits.ts';

interface EffectiveLimitsProps {
  plan: Plan | undefined;
  overrides: PlanLimits;
}

/** What the ticket grants, as the form stands now. */
export function EffectiveLimits({ plan, overrides }: EffectiveLimitsProps) {
  return (
    <Card
      aria-labelledby="effective-limits"
      className="@3xl:sticky @3xl:top-4 @3xl:col-start-2 @3xl:row-span-3 @3xl:row-start-1"
    >
      <CardHeader
        title="Effective limits"
        titleId="effective-limits"
        description={
          plan === undefined
            ? 'Choose a plan to see what the ticket grants.'
            : `What the ticket grants with ${englishOr(plan.displayName, plan.name)}.`
        }
      />
      {plan !== undefined && (
        <CardBody className="flex flex-col gap-4">
          {compareLimits(plan.limits, overrides).map(({ title, limits }) => (
            <section key={title} aria-label={title}>
              <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
              <DescriptionList dense minColumn="15rem">
                {limits.map(({ name, effective, isOverridden }) => (
                  <DescriptionItem key={name} inline label={limitLabel(name)}>
                    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2">
                      {isOverridden && <OverrideMark />}
                      {limitText(name, effective)}
                    </span>
                  </DescriptionItem>
                ))}
              </DescriptionList>
            </section>
          ))}
        </CardBody>
      )}
    </Card>
  );
}
