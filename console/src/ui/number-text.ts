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

/** The number a text means, null when it is empty or means none. A comma may stand for the point. */
export function parseNumber(text: string): number | null {
  const plain = text
    .trim()
    .replace('\u2212', '-')
    .replace(/^([-+]?\d*),(\d*)$/, '$1.$2');
  if (!/^[-+]?(\d+\.?\d*|\.\d+)$/.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** One step up or down, within the limits and without the dust of binary fractions. */
export function stepNumber(text: string, direction: 1 | -1, rules: NumberRules): string {
  const { min = -Infinity, max = Infinity, step = 1 } = rules;
  const start = parseNumber(text) ?? (Number.isFinite(min) ? min - direction * step : 0);
  const next = Math.min(max, Math.max(min, start + direction * step));
  return next.toFixed(decimalsOf(step));
}
