import { isServerError, isViolation } from '../../db/errors.ts';
import { AppError } from '../../http/app-error.ts';

/** A sentence stays readable however many plans it is about. */
const SHOWN_NAMES = 10;

function listed(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES;
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Paid plans, by their internal names. The issue shows it at the field of a form. */
export function withoutActivePrice(names: readonly string[]): AppError {
  const message = `These plans have no monthly price in an active currency: ${listed(names)}. Add a price or activate a currency first`;
  return new AppError('plan_price_inactive', {
    message,
    issues: [{ path: 'priceMonthly', message }],
  });
}

/** The refusal of a change of this plan by the database, in the words of the catalogue. */
export function planRefusal(error: unknown, name: string): unknown {
  if (isViolation(error, 'plans_active_price')) return withoutActivePrice([name]);
  return isViolation(error, 'plans_name_key') ? new AppError('plan_name_taken') : error;
}

/** The same for a currency that is to be deactivated. */
export function currencyInUse(error: unknown): AppError | null {
  if (!isServerError(error) || error.constraint !== 'currencies_active_in_use') return null;
  // The trigger that refuses lists the names.
  const names = JSON.parse(error.detail ?? '[]') as string[];
  const message = `These active plans are priced only in this currency: ${listed(names)}. Add another price or deactivate them first`;
  return new AppError('currency_in_use', { message });
}
