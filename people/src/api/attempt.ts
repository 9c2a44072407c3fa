import { showToast } from '../../../console/src/ui/toast-store.ts';
import { sentenceOf } from './call.ts';

/** Of what has no place for a sentence beside it, a failure is told by a toast. */
export async function attempt<T>(act: () => Promise<T>, then: (result: T) => void): Promise<void> {
  try {
    then(await act());
  } catch (error) {
    showToast({ message: sentenceOf(error), tone: 'red' });
  }
}
