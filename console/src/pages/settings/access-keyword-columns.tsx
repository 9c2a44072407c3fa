import type { AccessKeyword } from '@meridian/contract/access-keywords';
import type { Column } from '../../components/list/column.ts';
import { Badge } from '../../ui/Badge.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Mono } from '../../ui/Mono.tsx';
import { Time } from '../../ui/Time.tsx';
import type { Tone } from '../../ui/tone.ts';
import { RevokeKeyword } from './RevokeKeyword.tsx';
import { TIME_COLUMN_WIDTH } from '../../ui/time-width.ts';

const STATUSES: Record<AccessKeyword['status'], [label: string, tone: Tone]> = {
  ACTIVE: ['Active', 'green'],
  USED_UP: ['Used up', 'gray'],
  EXPIRED: ['Expired', 'gray'],
  REVOKED: ['Revoked', 'red'],
};

export const ACCESS_KEYWORD_COLUMNS: readonly Column<AccessKeyword>[] = [
  {
    header: 'Keyword',
    skeleton: '70%',
    cell: ({ word }) => <Mono value={word} copyLabel="Copy keyword" />,
  },
  {
    header: 'Uses',
    skeleton: '3rem',
    width: '6rem',
    cell: ({ uses, maxUses }) =>
      maxUses === null ? formatNumber(uses) : `${formatNumber(uses)} of ${formatNumber(maxUses)}`,
  },
  {
    header: 'Expires',
    skeleton: '8rem',
    width: TIME_COLUMN_WIDTH,
    cell: ({ expiresAt }) => <Time value={expiresAt} fallback="Never" />,
  },
  {
    header: 'Status',
    skeleton: '4.5rem',
    width: '6.5rem',
    corner: true,
    cell: ({ status }) => {
      const [label, tone] = STATUSES[status];
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
  {
    header: 'Actions',
    headerHidden: true,
    unlabelled: true,
    align: 'end',
    skeleton: '4rem',
    width: '6.5rem',
    cell: (keyword) => keyword.status === 'ACTIVE' && <RevokeKeyword keyword={keyword} />,
  },
];
