import { useEffect, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { loadPicture } from '../../api/load-picture.ts';
import { pageConfig } from '../../api/page-config.ts';
import { addressHere } from './surroundings.ts';

/** A picture on a host that is not asked without a click. */
export interface ForeignPicture {
  host: string;
  url: string;
  /** Calls for it through the server; absent where the server cannot fetch it. */
  load: (() => void) | undefined;
  isLoading: boolean;
  isLoaded: boolean;
  failure: string | undefined;
}

export interface ShownPicture {
  /** What can be shown now. */
  src: string | undefined;
  foreign: ForeignPicture | undefined;
}

type Attempt = {
  url: string;
  controller: AbortController;
  /** An address of the bytes, which the browser keeps until it is given back. */
  src?: string;
  failure?: string;
};

const FAILED = 'The picture could not be loaded. Try again later';

export function usePicture(source: string | null | undefined): ShownPicture {
  const address = addressHere(source);
  const url = address?.isTrusted === false ? address.url : undefined;
  const [attempt, setAttempt] = useState<Attempt>();
  // Another picture stands in this place now.
  if (attempt !== undefined && attempt.url !== url) setAttempt(undefined);

  // Neither a request nor the bytes outlive what they were for.
  useEffect(() => {
    if (attempt === undefined) return undefined;
    return () => {
      attempt.controller.abort();
      if (attempt.src !== undefined) URL.revokeObjectURL(attempt.src);
    };
  }, [attempt]);

  async function load(from: string) {
    const controller = new AbortController();
    setAttempt({ url: from, controller });
    try {
      const blob = await loadPicture(from, controller.signal);
      if (controller.signal.aborted) return;
      setAttempt({ url: from, controller, src: URL.createObjectURL(blob) });
    } catch (error) {
      if (controller.signal.aborted) return;
      setAttempt({ url: from, controller, failure: messageOf(error, FAILED) });
    }
  }

  if (address === null) return { src: undefined, foreign: undefined };
  if (url === undefined) return { src: address.url, foreign: undefined };
  const canLoad = address.isLoadable && pageConfig().canLoadPictures;
  const foreign = {
    host: address.host,
    url,
    load: canLoad ? () => void load(url) : undefined,
    isLoading: attempt !== undefined && !attempt.src && attempt.failure === undefined,
    isLoaded: attempt?.src !== undefined,
    failure: attempt?.failure,
  };
  return { src: attempt?.src, foreign };
}
