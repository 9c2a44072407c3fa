import type { PictureType } from '@meridian/contract/pictures';

const ASCII = 'latin1';
const AVIF_BRANDS = new Set(['avif', 'avis']);

export function pictureTypeOf(bytes: Buffer): PictureType | null {
  const text = (start: number, end: number) => bytes.toString(ASCII, start, end);
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return 'image/gif';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp';
  if (text(4, 8) === 'ftyp' && brandsOf(bytes).some((brand) => AVIF_BRANDS.has(brand)))
    return 'image/avif';
  return null;
}

function brandsOf(bytes: Buffer): string[] {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length);
  const brands: string[] = [];
  for (let at = 8; at + 4 <= end; at += 4) {
    if (at !== 12) brands.push(bytes.toString(ASCII, at, at + 4));
  }
  return brands;
}
