import type { Currency } from '@meridian/contract/currencies';
import { englishOr } from '@meridian/contract/fields';
import type { Plan } from '@meridian/contract/plans';
import { LOCALE } from '@meridian/ui/format.ts';

/** Every screen asks for all plans, inactive and hidden ones included: they share one response. */
export const ALL_PLANS = { query: { includeInactive: true, includeInvisible: true } } as const;

export const ALL_CURRENCIES = { query: { includeInactive: true } } as const;

const words = new Intl.Collator(LOCALE, { numeric: true });

function inOrder<Item extends { id: string; displayOrder: number }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  return items.toSorted(
    (a, b) =>
      a.displayOrder - b.displayOrder ||
      words.compare(nameOf(a), nameOf(b)) ||
      words.compare(a.id, b.id),
  );
}

export const plansInOrder = (plans: readonly Plan[]) =>
  inOrder(plans, ({ displayName, name }) => englishOr(displayName, name));

export const currenciesInOrder = (currencies: readonly Currency[]) =>
  inOrder(currencies, ({ name }) => name);
