import { accessKeywordList } from '@meridian/contract/access-keywords';
import { currencyList } from '@meridian/contract/currencies';
import { settingsGet } from '@meridian/contract/settings';
import { useRef } from 'react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { HistoryCard } from '../../components/audit/HistoryCard.tsx';
import { ALL_CURRENCIES } from '../../components/currency-query.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { AccessKeywordsCard } from './AccessKeywordsCard.tsx';
import { CurrenciesCard } from './CurrenciesCard.tsx';
import { ServiceCard } from './ServiceCard.tsx';
import { CURRENCIES_ANCHOR, useAnchor } from './use-anchor.ts';

/** There is only one. */
const SETTINGS_ID = '1';

export function SettingsPage() {
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
