import { currencyList } from '@meridian/contract/currencies';
import { planGet, planList } from '@meridian/contract/plans';
import { ALL_CURRENCIES } from '../../components/currency-query.ts';
import { read, readById } from '../../components/navigation/reads.ts';
import { ALL_PLANS } from '../../components/plan-query.ts';

export const plansReads = [read(planList, ALL_PLANS.query)];
export const planCreateReads = [read(currencyList, ALL_CURRENCIES.query)];
export const planEditReads = [readById(planGet), ...planCreateReads];
