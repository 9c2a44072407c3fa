import { formatNumber } from '../../ui/format-number.ts';

export interface ListCountProps {
  /** How many rows are on screen; undefined until they are there. */
  rows: number | undefined;
  /** How many there are in all; undefined where the server does not say. */
  total: number | undefined;
  /** There are more than that. */
  isCapped?: boolean | undefined;
  /** In the plural: 'posts'. */
  noun: string;
}

/** '12 posts', beside the filters, and heard when they change it. */
export function ListCount({ rows, total, isCapped = false, noun }: ListCountProps) {
  return (
    <p
      aria-live="polite"
      // Its room is kept while it is empty, so that nothing moves when it comes.
      className="min-h-[1.5em] text-base text-muted tabular-nums @max-4xl:w-full @4xl:w-32 @4xl:text-end"
    >
      {rows === undefined ? '' : words(rows, total, isCapped, noun)}
    </p>
  );
}

function words(rows: number, total: number | undefined, isCapped: boolean, noun: string): string {
  const count = total ?? rows;
  const unit = count === 1 ? noun.replace(/s$/, '') : noun;
  return `${formatNumber(count)}${isCapped ? '+' : ''} ${unit}${total === undefined ? ' shown' : ''}`;
}
