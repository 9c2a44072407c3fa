import type { BulkAction, bulkPreview, nounOf } from '@meridian/contract/bulk';
import type { BodyInput } from '@meridian/contract/endpoint';
import { POST_STATUSES } from '@meridian/contract/posts';
import { USER_STATUSES } from '@meridian/contract/users';
import { formatNumber } from '@meridian/ui/format.ts';
import { statusLabel } from './badges.tsx';

type PreviewBody = NonNullable<BodyInput<typeof bulkPreview>>;

interface BulkChoice {
  action: BulkAction;
  value?: PreviewBody['value'];
  label: string;
  danger?: boolean;
}

export type BulkRequest = BulkChoice & Pick<PreviewBody, 'selection'>;

export const BULK_CHOICES: Readonly<Record<ReturnType<typeof nounOf>, readonly BulkChoice[]>> = {
  posts: [
    { action: 'postCancel', label: 'Cancel', danger: true },
    { action: 'postRetry', label: 'Retry' },
    ...POST_STATUSES.map((value) => ({
      action: 'postStatus' as const,
      value,
      label: `Set to ${statusLabel(value)}`,
    })),
    { action: 'postDelete', label: 'Delete', danger: true },
  ],
  users: [
    ...USER_STATUSES.map((value) => ({
      action: 'userStatus' as const,
      value,
      label: `Set to ${statusLabel(value)}`,
      danger: value === 'BLOCKED' || value === 'SUSPENDED',
    })),
    { action: 'userActive', value: 'true', label: 'Activate' },
    { action: 'userActive', value: 'false', label: 'Deactivate', danger: true },
  ],
  tickets: [{ action: 'ticketRevoke', label: 'Revoke', danger: true }],
  assignments: [{ action: 'assignmentRevoke', label: 'Revoke', danger: true }],
};

/** 'Cancel 41 posts', 'Set 1 user to Blocked', of a choice or of a change that another console started. */
export function bulkTitle(action: string, value: string | null | undefined, count: number): string {
  const all = Object.entries(BULK_CHOICES).flatMap(([noun, choices]) =>
    choices.map((choice) => ({ noun, ...choice })),
  );
  const known = all.find((one) => one.action === action && (one.value ?? null) === (value ?? null));
  if (known === undefined) return `${action}: ${formatNumber(count)}`;
  const [verb = '', ...rest] = known.label.split(' ');
  const noun = count === 1 ? known.noun.replace(/s$/, '') : known.noun;
  return [verb, formatNumber(count), noun, ...rest].join(' ');
}

const FLAGS = new Set(['overdue', 'stuck']);

/** Everything that the filters of a list leave; in the address every value is a word. */
export function matching(of: string, filter: Readonly<Record<string, string>>) {
  const values = Object.entries(filter).map(([name, value]) => [
    name,
    FLAGS.has(name) ? value === 'true' : value,
  ]);
  // From the list's own parameters, which are those of the contract.
  return { [of]: Object.fromEntries(values) } as BulkRequest['selection'];
}
