import { planList } from '@meridian/contract/plans';
import {
  TICKET_PAGES_FEATURE,
  ticketGet,
  ticketList,
  TICKETS_PAGE_SIZE,
} from '@meridian/contract/tickets';
import { read, readById, readPages } from '../../components/navigation/reads.ts';
import { ALL_PLANS } from '../../components/plan-query.ts';
import { TICKET_PAGES_PARAMS } from './ticket-list.ts';

export const ticketsReads = [
  readPages(TICKET_PAGES_FEATURE, ticketList, TICKET_PAGES_PARAMS, TICKETS_PAGE_SIZE),
];
export const ticketReads = [readById(ticketGet)];
export const ticketIssueReads = [read(planList, ALL_PLANS.query)];
