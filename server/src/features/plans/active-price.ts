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

/** A currency cannot be deactivated while these plans need it. */
export function currencyInUse(plans: readonly string[]): AppError {
  const message = `These active plans are priced only in this currency: ${listed(plans)}. Add another price or deactivate them first`;
  return new AppError('currency_in_use', { message });
}
