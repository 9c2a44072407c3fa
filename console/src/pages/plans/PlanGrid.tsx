import type { Plan } from '@meridian/contract/plans';
import { useRef } from 'react';
import { keepPlace } from '../../components/keep-place.ts';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { PlanCard } from './PlanCard.tsx';
import { PlanCardSkeleton } from './PlanCardSkeleton.tsx';

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f'];
const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4';

/** The cards, or their boxes while it is not known what they hold. */
export function PlanGrid({ plans }: { plans: readonly Plan[] | undefined }) {
  const list = useRef<HTMLUListElement>(null);

  if (plans === undefined) {
    return (
      <>
        <LoadingNote />
        <ul className={GRID}>
          {SKELETONS.map((key) => (
            <PlanCardSkeleton key={key} />
          ))}
        </ul>
      </>
    );
  }
  return (
    <ul ref={list} tabIndex={-1} aria-label="Plans" className={GRID}>
      {plans.map((plan) => (
        <PlanCard key={plan.id} plan={plan} onChanged={() => keepPlace(list.current)} />
      ))}
    </ul>
  );
}
