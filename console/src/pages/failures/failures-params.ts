import { FAILURE_WINDOW_DEFAULT, FAILURE_WINDOWS } from '@meridian/contract/failures';
import { oneOf } from '../../components/list/list-params.ts';

/** What the address of the failures can say. */
export const FAILURES_PARAMS = { window: oneOf(FAILURE_WINDOWS, FAILURE_WINDOW_DEFAULT) };
