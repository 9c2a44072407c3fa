import type { PlanValues } from './plan-values.ts';
import { NOTHING } from '../../ui/nothing.ts';

interface PlanKeptPricesProps {
  values: PlanValues;
  /** Those that have fields. */
  shownCodes: readonly string[];
  /** Without the list of currencies nothing can be said about their state. */
  isKnown: boolean;
}

/** Prices in currencies that have no fields here are not dropped either. */
export function PlanKeptPrices({ values, shownCodes, isKnown }: PlanKeptPricesProps) {
  const { priceMonthly, priceYearly } = values;
  const kept = [...new Set([...Object.keys(priceMonthly), ...Object.keys(priceYearly)])].filter(
    (code) => !shownCodes.includes(code),
  );
  if (kept.length === 0) return null;
  return (
    <div className="text-sm text-muted">
      <p>
        {isKnown
          ? 'Prices in inactive currencies stay unchanged:'
          : 'These prices stay unchanged until the currencies are loaded:'}
      </p>
      <ul className="mt-1">
        {kept.map((code) => (
          <li key={code} className="tabular-nums">
            <span className="font-medium text-text">{code.toUpperCase()}</span>{' '}
            {priceMonthly[code] ?? NOTHING} / month, {priceYearly[code] ?? NOTHING} / year
          </li>
        ))}
      </ul>
    </div>
  );
}
