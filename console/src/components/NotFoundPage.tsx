import { Card } from '@meridian/ui/Card.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { LinkButton } from '@meridian/ui/links.tsx';
import { EmptyState } from '@meridian/ui/placeholders.tsx';
import { paths } from '../paths.ts';

export function NotFoundPage() {
  return (
    <>
      <PageTitle title="Not found" />
      <Card as="div">
        <EmptyState action={<LinkButton to={paths.dashboard}>Go to Dashboard</LinkButton>}>
          There is no page at this address. Check the address, or go to the dashboard.
        </EmptyState>
      </Card>
    </>
  );
}
