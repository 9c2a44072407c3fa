import { currencyList } from '@meridian/contract/currencies';
import { settingsGet } from '@meridian/contract/settings';
import { ALL_CURRENCIES } from '../../components/currency-query.ts';
import { read } from '../../components/navigation/reads.ts';

export const settingsReads = [read(settingsGet), read(currencyList, ALL_CURRENCIES.query)];
