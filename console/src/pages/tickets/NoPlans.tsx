import { Layers } from 'lucide-react';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';

/** Without a plan to grant there is nothing to issue. */
export function NoPlans() {
  return (
    <Card as="div">
      <EmptyState
        icon={<Layers aria-hidden="true" />}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <LinkButton to={paths.planCreate} variant="primary">
              Create New Plan
            </LinkButton>
            <LinkButton to={paths.plans}>Go to Plans</LinkButton>
          </div>
        }
      >
        There is no active paid plan to issue a ticket for. Create a plan, or activate an existing
        one.
      </EmptyState>
    </Card>
  );
}
