import { writeStored } from '../api/storage.ts';
import { showToast } from '../ui/toast-store.ts';
import { areSingleKeysOff, SINGLE_KEYS } from './single-keys.ts';

/** For this browser, from the profile menu or the palette. */
export function switchSingleKeys(): void {
  const isOn = areSingleKeysOff();
  writeStored(SINGLE_KEYS, isOn ? null : 'off');
  showToast({ message: `Single-key shortcuts are ${isOn ? 'on' : 'off'}`, tone: 'green' });
}
