import { readStored } from '../api/storage.ts';

export const SINGLE_KEYS = 'meridian_keys';

/** Keys that act by themselves are in the way of those who dictate; the profile menu and the palette turn them off. */
export const areSingleKeysOff = () => readStored(SINGLE_KEYS) === 'off';
