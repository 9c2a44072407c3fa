import { PageTitle } from './PageTitle.tsx';
import { LinkButton } from './navigation/LinkButton.tsx';
import { paths } from '../paths.ts';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';

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
