import type { Currency } from '@meridian/contract/currencies';
import { englishOr } from '@meridian/contract/languages';
import type { Plan } from '@meridian/contract/plans';
import { LOCALE } from '../ui/locale.ts';

/** Where an item without a display order stands. */
const LAST = Number.MAX_SAFE_INTEGER;

const words = new Intl.Collator(LOCALE, { numeric: true });

/** Lower numbers first, then by name: another server may send its rows in any order. */
function inOrder<Item extends { id: string; displayOrder?: number | undefined }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  return items.toSorted(
    (a, b) =>
      (a.displayOrder ?? LAST) - (b.displayOrder ?? LAST) ||
      words.compare(nameOf(a), nameOf(b)) ||
      words.compare(a.id, b.id),
  );
}

export const plansInOrder = (plans: readonly Plan[]) =>
  inOrder(plans, ({ displayName, name }) => englishOr(displayName, name));

export const currenciesInOrder = (currencies: readonly Currency[]) =>
  inOrder(currencies, ({ name }) => name);
