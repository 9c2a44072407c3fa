import { type Currency, CURRENCY_MESSAGES, currencyList } from '@meridian/contract/currencies';
import { useState } from 'react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { ALL_CURRENCIES } from '../../components/currency-query.ts';
import { useLoggedError } from '../../components/use-logged-error.ts';

export interface CurrenciesForPrices {
  /** The form waits for the first answer or failure, so that its fields do not move later. */
  isSettled: boolean;
  /** False when loading failed, which is only logged: a plan can be edited without them. */
  isKnown: boolean;
  all: readonly Currency[];
  active: readonly Currency[];
  isRetrying: boolean;
  retry: () => void;
}

export function useCurrencies(): CurrenciesForPrices {
  const { data, error, isPending, isFetching, refetch } = useEndpointQuery(
    currencyList,
    ALL_CURRENCIES,
  );
  useLoggedError(CURRENCY_MESSAGES.listFailed, error);
  // For good: a second try after a failure counts as pending too, but the form must stay.
  const [isSettled, setSettled] = useState(!isPending);
  if (!isSettled && !isPending) setSettled(true);
  const all = data?.currencies ?? [];
  return {
    isSettled,
    isKnown: data !== undefined,
    all,
    active: all.filter(({ isActive }) => isActive),
    isRetrying: isFetching,
    retry: () => void refetch(),
  };
}
