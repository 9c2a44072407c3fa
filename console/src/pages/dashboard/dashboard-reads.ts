import { statsGet } from '@meridian/contract/stats';
import { read } from '../../components/navigation/reads.ts';

export const dashboardReads = [read(statsGet)];
