export type Tone = 'green' | 'amber' | 'orange' | 'red' | 'blue' | 'violet' | 'gray';

/** Whole class names, as the stylesheet is made from the names found in the source. */
export const TONE_CLASS: Record<Tone, string> = {
  green: 'bg-green-tint text-green',
  amber: 'bg-amber-tint text-amber',
  orange: 'bg-orange-tint text-orange',
  red: 'bg-red-tint text-red',
  blue: 'bg-blue-tint text-blue',
  violet: 'bg-violet-tint text-violet',
  gray: 'bg-gray-tint text-gray',
};

/** The strong color of a tone, for the dot of a badge and the slice of a pie. */
export const MARK_CLASS: Record<Tone, string> = {
  green: 'bg-green-mark fill-green-mark',
  amber: 'bg-amber-mark fill-amber-mark',
  orange: 'bg-orange-mark fill-orange-mark',
  red: 'bg-red-mark fill-red-mark',
  blue: 'bg-blue-mark fill-blue-mark',
  violet: 'bg-violet-mark fill-violet-mark',
  gray: 'bg-gray-mark fill-gray-mark',
};
