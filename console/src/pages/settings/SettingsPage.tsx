import { currencyList } from '@meridian/contract/currencies';
import { settingsGet } from '@meridian/contract/settings';
import { useRef } from 'react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { ALL_CURRENCIES } from '../../components/currency-query.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { CurrenciesCard } from './CurrenciesCard.tsx';
import { ServiceCard } from './ServiceCard.tsx';
import { CURRENCIES_ANCHOR, useAnchor } from './use-anchor.ts';

export function SettingsPage() {
  const settings = useEndpointQuery(settingsGet);
  const currencies = useEndpointQuery(currencyList, ALL_CURRENCIES);
  const section = useRef<HTMLDivElement>(null);
  useAnchor(CURRENCIES_ANCHOR, section, !settings.isPending && !currencies.isPending);
  return (
    <>
      <PageTitle title="Service Settings" context="Service access and currencies" />
      <div className="flex max-w-[45rem] flex-col gap-4">
        <ServiceCard query={settings} />
        <div ref={section} id={CURRENCIES_ANCHOR} tabIndex={-1} className="scroll-mt-4">
          <CurrenciesCard query={currencies} />
        </div>
      </div>
    </>
  );
}
