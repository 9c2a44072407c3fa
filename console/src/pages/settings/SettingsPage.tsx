import { currencyList } from '@meridian/contract/currencies';
import { settingsGet } from '@meridian/contract/settings';
import { useRef } from 'react';
import { prefetchEndpoint, useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { ALL_CURRENCIES } from '../../components/currency-query.ts';
import type { Prefetch } from '../../components/navigation/prefetch.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { CurrenciesCard } from './CurrenciesCard.tsx';
import { ServiceCard } from './ServiceCard.tsx';
import { CURRENCIES_ANCHOR, useAnchor } from './use-anchor.ts';

export const prefetch: Prefetch = () => {
  prefetchEndpoint(settingsGet);
  prefetchEndpoint(currencyList, ALL_CURRENCIES);
};

export function SettingsPage() {
  const settings = useEndpointQuery(settingsGet);
  const currencies = useEndpointQuery(currencyList, ALL_CURRENCIES);
  const section = useRef<HTMLDivElement>(null);
  useAnchor(CURRENCIES_ANCHOR, section, !settings.isPending && !currencies.isPending);
  return (
    <>
      <PageTitle
        title="Service Settings"
        context="Who can use the service, and what plans are priced in"
      />
      <div className="flex flex-col gap-4">
        <ServiceCard query={settings} />
        <div
          ref={section}
          id={CURRENCIES_ANCHOR}
          tabIndex={-1}
          className="scroll-mt-18 lg:scroll-mt-4"
        >
          <CurrenciesCard query={currencies} />
        </div>
      </div>
    </>
  );
}
