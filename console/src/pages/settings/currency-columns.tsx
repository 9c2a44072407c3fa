import type { Currency } from '@meridian/contract/currencies';
import { decimalsOf } from '@meridian/contract/plans';
import type { Column } from '../../components/list/column.ts';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { CurrencyActions } from './CurrencyActions.tsx';

const codeIdOf = ({ id }: Currency) => `currency-${id}`;

export const CURRENCY_COLUMNS: readonly Column<Currency>[] = [
  {
    header: 'Code',
    skeleton: '2.5rem',
    width: '4rem',
    cell: (currency) => (
      <span id={codeIdOf(currency)} className="text-mono font-medium">
        <SafeText>{currency.code.toUpperCase() || NOTHING}</SafeText>
      </span>
    ),
  },
  {
    header: 'Name',
    skeleton: '70%',
    cell: (currency) => <SafeText className="wrap-break-word">{currency.name || NOTHING}</SafeText>,
  },
  {
    header: 'Symbol',
    skeleton: '1.5rem',
    width: '4rem',
    cell: (currency) => <SafeText>{currency.symbol || NOTHING}</SafeText>,
  },
  {
    header: 'Decimals',
    skeleton: '1rem',
    width: '4.5rem',
    cell: (currency) => decimalsOf(currency),
  },
  {
    header: 'Display Order',
    skeleton: '2rem',
    width: '6rem',
    cell: (currency) => formatNumber(currency.displayOrder),
  },
  {
    header: 'Status',
    skeleton: '4.5rem',
    width: '6.5rem',
    corner: true,
    cell: ({ isActive }) => <StatusBadge status={isActive ? 'ACTIVE' : 'INACTIVE'} />,
  },
  {
    header: 'Actions',
    headerHidden: true,
    unlabelled: true,
    align: 'end',
    skeleton: '9rem',
    width: '12.375rem',
    cell: (currency) => <CurrencyActions currency={currency} codeId={codeIdOf(currency)} />,
  },
];
