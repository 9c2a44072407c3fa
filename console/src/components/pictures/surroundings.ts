import { pageConfig } from '../../api/page-config.ts';
import { type PictureAddress, pictureAddress, type Surroundings } from './picture-address.ts';

/** Where this page stands, and what its server said of pictures. */
export function surroundings(): Surroundings {
  return { pageUrl: location.href, imageSources: pageConfig().imageSources };
}

export function addressHere(source: string | null | undefined): PictureAddress | null {
  return pictureAddress(source, surroundings());
}

/** For lists, where there is no room to ask: only what the browser may load by itself. */
export function trustedPicture(source: string | null | undefined): string | undefined {
  const address = addressHere(source);
  return address?.isTrusted === true ? address.url : undefined;
}
