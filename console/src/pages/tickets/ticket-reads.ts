import { planList } from '@meridian/contract/plans';
import { ticketGet, ticketList } from '@meridian/contract/tickets';
import { read, readById } from '../../components/navigation/reads.ts';
import { ALL_PLANS } from '../../components/plan-query.ts';

export const ticketsReads = [read(ticketList)];
export const ticketReads = [readById(ticketGet)];
export const ticketIssueReads = [read(planList, ALL_PLANS.query)];
