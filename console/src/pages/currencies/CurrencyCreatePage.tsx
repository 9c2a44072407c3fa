import { PageTitle } from '../../components/PageTitle.tsx';

export function CurrencyCreatePage() {
  return <PageTitle title="Add New Currency" />;
}
