import { LOCALE } from '../../../console/src/ui/locale.ts';

/** Those most written on the network; a draft may hold another one, which is then listed as well. */
const CODES =
  'ar bn cs da de el en es fa fi fr he hi hu id it ja ko nl no pl pt ro ru sv th tr uk vi zh'.split(
    ' ',
  );

const names = new Intl.DisplayNames(LOCALE, { type: 'language' });

export function preferredLanguage(): string {
  const [code = 'en'] = navigator.language.toLowerCase().split('-');
  return /^[a-z]{2,3}$/.test(code) ? code : 'en';
}

export function languageOptions(chosen: string): { value: string; label: string }[] {
  return [...new Set([...CODES, preferredLanguage(), chosen])]
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, LOCALE));
}
