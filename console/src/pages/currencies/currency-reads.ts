import { currencyGet } from '@meridian/contract/currencies';
import { readById } from '../../components/navigation/reads.ts';

export const currencyEditReads = [readById(currencyGet)];
