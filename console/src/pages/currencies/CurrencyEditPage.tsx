import { useParams } from 'react-router';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { prefetchReads } from '../../components/navigation/prefetch-reads.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { currencyEditReads } from './currency-reads.ts';
import { CurrencyEdit } from './CurrencyEdit.tsx';

export const prefetch = prefetchReads(currencyEditReads);

export function CurrencyEditPage() {
  const { currencyId = '' } = useParams();
  return (
    <>
      <PageTitle
        title="Edit Currency"
        context="Changes apply to every plan priced in this currency."
        back={<BackLink to={paths.settings}>Back to Service Settings</BackLink>}
      />
      {/* From one currency straight to another everything starts anew. */}
      <CurrencyEdit key={currencyId} id={currencyId} />
    </>
  );
}
