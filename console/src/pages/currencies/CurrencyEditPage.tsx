import { currencyGet } from '@meridian/contract/currencies';
import { useParams } from 'react-router';
import { prefetchEndpoint } from '../../api/use-endpoint-query.ts';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import type { Prefetch } from '../../components/navigation/prefetch.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { CurrencyEdit } from './CurrencyEdit.tsx';

export const prefetch: Prefetch = ({ params: { currencyId = '' } }) =>
  prefetchEndpoint(currencyGet, { params: { id: currencyId } });

export function CurrencyEditPage() {
  const { currencyId = '' } = useParams();
  return (
    <>
      <PageTitle
        title="Edit Currency"
        context="Changes hold for every plan that is priced in it."
        back={<BackLink to={paths.settings}>Back to Service Settings</BackLink>}
      />
      {/* From one currency straight to another everything starts anew. */}
      <CurrencyEdit key={currencyId} id={currencyId} />
    </>
  );
}
