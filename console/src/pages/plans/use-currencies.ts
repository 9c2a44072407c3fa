import { type Currency, CURRENCY_MESSAGES, currencyList } from '@meridian/contract/currencies';
import { useState } from 'react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { ALL_CURRENCIES } from '../../components/currency-query.ts';
import { currenciesInOrder } from '../../components/display-order.ts';
import type { FailableQuery } from '../../components/LoadError.tsx';
import { useLoggedError } from '../../components/use-logged-error.ts';

export interface CurrenciesForPrices {
  /** The form waits for the first response or failure, so that its fields do not move later. */
  isSettled: boolean;
  /** False when loading failed: a plan can be edited without them. */
  isKnown: boolean;
  /** Its error is why they could not be loaded; null while they are there or on their way. */
  query: FailableQuery;
  all: readonly Currency[];
  active: readonly Currency[];
}

export function useCurrencies(): CurrenciesForPrices {
  const { data, error, failureReason, isPending, isFetching, refetch } = useEndpointQuery(
    currencyList,
    ALL_CURRENCIES,
  );
  useLoggedError(CURRENCY_MESSAGES.listFailed, error);
  // The first failure is shown at once; the query's own second try then goes on behind it.
  const failure = error ?? failureReason;
  // For good: a second try after a failure counts as pending too, but the form must stay.
  const isAnswered = !isPending || failure !== null;
  const [isSettled, setSettled] = useState(isAnswered);
  if (!isSettled && isAnswered) setSettled(true);
  // Prices are kept by code: one that came without cannot be priced in.
  const all = currenciesInOrder(data?.currencies ?? []).filter(({ code }) => code !== '');
  return {
    isSettled,
    isKnown: data !== undefined,
    query: { error: data === undefined ? failure : null, isFetching, refetch },
    all,
    active: all.filter(({ isActive }) => isActive),
  };
}
