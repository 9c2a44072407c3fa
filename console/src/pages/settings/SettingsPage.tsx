import { PageTitle } from '../../components/PageTitle.tsx';

export function SettingsPage() {
  return <PageTitle title="Service Settings" />;
}
