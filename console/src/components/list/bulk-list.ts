/** Lets the rows of a list be selected and changed together. */
export interface BulkList<Row> {
  /** As the call names the rows. */
  of: 'posts' | 'users' | 'tickets' | 'assignments';
  /** The filters in force, without order and page; undefined where only selected rows can be named. */
  filter?: Readonly<Record<string, string>> | undefined;
  /** Which row a checkbox means, for screen readers. */
  labelOf: (row: Row) => string;
}

/** The filters among the values of a list: what is set, without its order. */
export function filterOf(values: Readonly<Record<string, string>>): Record<string, string> {
  const { sort: _sort, order: _order, ...filters } = values;
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}
