import type { Ticket } from '@meridian/contract/tickets';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { TierBadge } from '../../components/TierBadge.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { Issuer } from './Issuer.tsx';
import { daysText, planNameOf, usageOf } from './ticket-words.ts';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

export function TicketInformation({ ticket }: { ticket: Ticket }) {
  return (
    <Card aria-labelledby="ticket-information">
      <CardHeader title="Information" titleId="ticket-information" />
      <CardBody>
        {/* A time takes a column: in the narrow card beside the limits there is one. */}
        <DescriptionList minColumn={DATE_TIME_WIDTH}>
          <DescriptionItem label="Plan">
            <span className="flex flex-wrap items-center gap-2">
              <AppLink
                to={paths.planEdit(ticket.planId)}
                className="-my-1 rounded-sm py-1 text-accent-text hover:underline"
              >
                <SafeText>{planNameOf(ticket)}</SafeText>
              </AppLink>
              {ticket.plan.tier !== '' && <TierBadge tier={ticket.plan.tier} />}
            </span>
          </DescriptionItem>
          <DescriptionItem label="Issuer">
            <Issuer issuer={ticket.issuer} />
          </DescriptionItem>
          <DescriptionItem label="Usage">{usageOf(ticket)}</DescriptionItem>
          <DescriptionItem label="Valid Period">
            {daysText(ticket.validDays)} from activation
          </DescriptionItem>
          <DescriptionItem label="Issued At">
            <Time value={ticket.issuedAt} />
          </DescriptionItem>
          <DescriptionItem label="Redemption Deadline">
            <Time value={ticket.redemptionDeadline} fallback="N/A" />
          </DescriptionItem>
          <DescriptionItem label="Last Updated">
            <Time value={ticket.updatedAt} />
          </DescriptionItem>
          <DescriptionItem label="Memo" wide>
            {ticket.memo ? (
              <span dir="auto" className="block whitespace-pre-wrap">
                <SafeText>{ticket.memo}</SafeText>
              </span>
            ) : (
              NOTHING
            )}
          </DescriptionItem>
        </DescriptionList>
      </CardBody>
    </Card>
  );
}
