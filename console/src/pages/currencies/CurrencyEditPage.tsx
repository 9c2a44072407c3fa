import { useParams } from 'react-router';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { CurrencyEdit } from './CurrencyEdit.tsx';

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
