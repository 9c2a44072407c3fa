import { useRef } from 'react';
import { accessKeywordList } from '@meridian/contract/access-keywords';
import { currencyList } from '@meridian/contract/currencies';
import { settingsGet } from '@meridian/contract/settings';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { CURRENCIES_ANCHOR, useAnchor } from '@meridian/ui/hooks.ts';
import { HistoryCard } from '../../components/HistoryCard.tsx';
import { ALL_CURRENCIES } from '../../components/catalogue.ts';
import { CurrenciesCard } from './currencies.tsx';
import { AccessKeywordsCard } from './keywords.tsx';
import { ServiceCard } from './service.tsx';

/** There is only one. */
const SETTINGS_ID = '1';

export function loader(): void {
  prefetch(settingsGet);
  prefetch(currencyList, ALL_CURRENCIES);
}

export function Component() {
  const settings = useEndpointQuery(settingsGet);
  const currencies = useEndpointQuery(currencyList, ALL_CURRENCIES);
  const isMeridian = useIsMeridian();
  const keywords = useEndpointQuery(accessKeywordList, {}, { enabled: isMeridian });
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
        {isMeridian && !settings.isPending && !currencies.isPending && (
          <AccessKeywordsCard query={keywords} />
        )}
        {!settings.isPending && !currencies.isPending && !keywords.isLoading && (
          <HistoryCard entity="settings" entityId={SETTINGS_ID} />
        )}
      </div>
    </>
  );
}
