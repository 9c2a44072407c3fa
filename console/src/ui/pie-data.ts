import type { ReactNode } from 'react';
import type { Tone } from './tone.ts';

interface PieDatum {
  key: string;
  label: string;
  /** Null where it is not known: a row in the legend, but no slice. */
  value: number | undefined;
  /** Where the same thing has a color elsewhere. */
  tone?: Tone | undefined;
}

/** What a link around a slice or a legend entry has to carry. */
interface PieLinkProps {
  children: ReactNode;
  className?: string;
  /** The slice stays out of the Tab order: its legend entry is the same link. */
  tabIndex?: -1;
}

/** What a pie and its legend show. */
export interface PieData {
  /** What is counted: the caption of the table. */
  label: string;
  /** The heading of the first column: 'Status'. */
  keyLabel: string;
  data: readonly PieDatum[];
  renderLink?: ((datum: PieDatum, props: PieLinkProps) => ReactNode) | undefined;
}
