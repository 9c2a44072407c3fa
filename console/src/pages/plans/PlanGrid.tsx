import type { Plan } from '@meridian/contract/plans';
import { useRef } from 'react';
import { keepPlace } from '../../components/keep-place.ts';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { PlanCard } from './PlanCard.tsx';
import { PlanCardSkeleton } from './PlanCardSkeleton.tsx';

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f'];
const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,21rem),1fr))] gap-4';

interface PlanGridProps {
  plans: readonly Plan[] | undefined;
  /** Where to read on when the last card has left the list. */
  tab: () => HTMLElement | null | undefined;
}

/** The cards, or their boxes while it is not known what they hold. */
export function PlanGrid({ plans, tab }: PlanGridProps) {
  const list = useRef<HTMLUListElement>(null);

  /** A card that leaves the list hands on to the one that takes its place. */
  const cardAt = (index: number) => {
    const cards = list.current?.children;
    const card = cards?.[Math.min(index, cards.length - 1)];
    return card instanceof HTMLElement ? card : tab();
  };

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
    <ul ref={list} aria-label="Plans" className={GRID}>
      {plans.map((plan, index) => (
        <PlanCard key={plan.id} plan={plan} onChanged={() => keepPlace(() => cardAt(index))} />
      ))}
    </ul>
  );
}
