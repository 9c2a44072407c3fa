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
