import { PageTitle } from '../../components/PageTitle.tsx';

export function CurrencyEditPage() {
  return <PageTitle title="Edit Currency" />;
}
