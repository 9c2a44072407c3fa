import type { PlanLimits } from '@meridian/contract/plan-limits';
import { UNLIMITED } from '@meridian/contract/fields';
import { clauseOf, publishingClauses, schedulingClauses } from '@meridian/contract/verdict';
import type { Verdict, VerdictFacts, VerdictLimit } from '@meridian/contract/verdict';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import type { ClaimRules } from '../engine/engine.store.ts';
import { findVerdictFacts } from './verdict.store.ts';
import type { VerdictRow } from './verdict.store.ts';

export function createVerdictService(db: Database, rules: Pick<ClaimRules, 'needsAccount'>) {
  return {
    async get(userId: string): Promise<Verdict> {
      const row = isUuid(userId) ? await findVerdictFacts(db, userId) : null;
      if (row === null) throw new AppError('user_not_found');
      return verdictOf(row, rules);
    },
  };
}

function verdictOf(row: VerdictRow, { needsAccount }: Pick<ClaimRules, 'needsAccount'>): Verdict {
  const { accountState: state, host, accountSince: since, source } = row;
  const usage = { monthlyPosts: row.monthlyPosts, pendingPosts: row.pendingPosts };
  const limits = limitsOf(row);
  const valueOf = (name: string) => {
    const value = limits.find((limit) => limit.name === name)?.effective;
    return typeof value === 'number' ? value : UNLIMITED;
  };
  const facts: VerdictFacts = {
    ...row,
    account: state === 'NONE' && needsAccount ? 'RECONNECT' : state,
    usage,
    limits:
      source === null
        ? null
        : {
            monthlyPosts: valueOf('monthly_posts_limit'),
            pendingPosts: valueOf('pending_posts_limit'),
          },
  };
  return {
    scheduling: schedulingClauses(facts).map(clauseOf),
    publishing: publishingClauses(facts).map(clauseOf),
    account: { state, host, since },
    source: source && { ...source, expiresAt: row.expiresAt },
    limits,
  };
}

function limitsOf({ planLimits, overrides, ...row }: VerdictRow): VerdictLimit[] {
  const usage: Readonly<Record<string, number>> = {
    monthly_posts_limit: row.monthlyPosts,
    pending_posts_limit: row.pendingPosts,
  };
  const all: PlanLimits = { ...planLimits, ...overrides };
  return Object.entries(all).map(([name, effective]) => ({
    name,
    plan: planLimits?.[name] ?? null,
    override: overrides?.[name] ?? null,
    effective,
    usage: usage[name] ?? null,
  }));
}
