import type { PlanValues } from './plan-values.ts';

interface PlanKeptPricesProps {
  values: PlanValues;
  /** Those that have fields. */
  activeCodes: readonly string[];
}

/** Prices in currencies that are no longer active have no fields, but are not dropped either. */
export function PlanKeptPrices({ values, activeCodes }: PlanKeptPricesProps) {
  const { priceMonthly, priceYearly } = values;
  const kept = [...new Set([...Object.keys(priceMonthly), ...Object.keys(priceYearly)])].filter(
    (code) => !activeCodes.includes(code),
  );
  if (kept.length === 0) return null;
  return (
    <div className="text-sm text-muted">
      <p>Kept as they are, in currencies that are not active:</p>
      <ul className="mt-1">
        {kept.map((code) => (
          <li key={code} className="tabular-nums">
            <span className="font-medium text-text">{code.toUpperCase()}</span>{' '}
            {priceMonthly[code] ?? '–'} / month, {priceYearly[code] ?? '–'} / year
          </li>
        ))}
      </ul>
    </div>
  );
}
