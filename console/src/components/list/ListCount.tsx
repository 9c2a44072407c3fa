import { formatNumber } from '../../ui/format-number.ts';

export interface ListCountProps {
  /** How many rows are on screen; undefined until they are there. */
  rows: number | undefined;
  /** How many there are in all; undefined where the server does not say. */
  total: number | undefined;
  /** In the plural: 'posts'. */
  noun: string;
}

/** '12 posts', beside the filters, and heard when they change it. */
export function ListCount({ rows, total, noun }: ListCountProps) {
  return (
    <p
      aria-live="polite"
      // Its room is kept while it is empty, so that nothing moves when it comes.
      className="min-h-[1.5em] self-center text-base text-muted tabular-nums max-xl:w-full xl:w-32 xl:text-end"
    >
      {rows === undefined ? '' : words(rows, total, noun)}
    </p>
  );
}

function words(rows: number, total: number | undefined, noun: string): string {
  const count = total ?? rows;
  const unit = count === 1 ? noun.replace(/s$/, '') : noun;
  return `${formatNumber(count)} ${unit}${total === undefined ? ' shown' : ''}`;
}
