export interface NumberRules {
  min?: number | undefined;
  max?: number | undefined;
  /** 1 for whole numbers, 0.01 for two decimals. */
  step?: number | undefined;
}

/** How many decimals a step has: 0.01 -> 2. */
export function decimalsOf(step: number): number {
  const text = step.toString();
  const exponent = /e-(\d+)$/.exec(text);
  if (exponent?.[1] !== undefined) return Number(exponent[1]);
  return text.split('.')[1]?.length ?? 0;
}

const WHOLE = /^-?\d+$/;
const DECIMAL = /^-?(\d+\.?\d*|\.\d+)$/;
/** With three digits behind it a comma may as well group thousands: it is not guessed. */
const COMMA = /^(-?\d*),(\d{1,2})$/;

/** The digits a text is read by: trimmed, with one kind of minus and, among decimals, of point. */
function plainText(text: string, step: number): string {
  const plain = text.trim().replace('\u2212', '-');
  return Number.isInteger(step) ? plain : plain.replace(COMMA, '$1.$2');
}

/**
 * The number a text means, null when it is empty or could mean another. Where the step is whole
 * only digits count; with decimals the point parts them, or a comma that can mean nothing else.
 */
export function parseNumber(text: string, step = 1): number | null {
  const plain = plainText(text, step);
  if (!(Number.isInteger(step) ? WHOLE : DECIMAL).test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** How many decimals were written: '4.90' has two. */
export function writtenDecimals(text: string, step: number): number {
  return plainText(text, step).split('.')[1]?.length ?? 0;
}

/**
 * One step up or down, within the limits and without the dust of binary fractions. From what cannot
 * be read there is no step: it stays for the form to judge.
 */
export function stepNumber(text: string, direction: 1 | -1, rules: NumberRules): string {
  const { min = -Infinity, max = Infinity, step = 1 } = rules;
  const read = parseNumber(text, step);
  if (read === null && text.trim() !== '') return text;
  const start = read ?? (Number.isFinite(min) ? min - direction * step : 0);
  const next = Math.min(max, Math.max(min, start + direction * step));
  return next.toFixed(decimalsOf(step));
}
