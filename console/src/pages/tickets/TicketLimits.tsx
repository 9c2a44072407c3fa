import type { Ticket } from '@meridian/contract/tickets';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { LimitGroupTable } from './LimitGroupTable.tsx';
import { compareLimits, countOverrides, overridesText } from './ticket-limits.ts';

/** What the plan allows, and what this ticket makes of it. */
export function TicketLimits({ ticket }: { ticket: Ticket }) {
  const groups = compareLimits(ticket.plan.limits, ticket.limitsOverride);
  return (
    <Card aria-labelledby="ticket-limits">
      <CardHeader
        title="Plan Limits"
        titleId="ticket-limits"
        actions={
          <span className="text-sm text-muted">{overridesText(countOverrides(groups))}</span>
        }
      />
      <CardBody className="@container">
        <div className="grid items-start gap-x-8 gap-y-6 @xl:grid-cols-2">
          {groups.map((group) => (
            <LimitGroupTable key={group.title} group={group} />
          ))}
        </div>
      </CardBody>
    </Card>
  );
}
