import { useId } from 'react';
import { Table } from '../../ui/Table.tsx';
import { Td } from '../../ui/Td.tsx';
import { Th } from '../../ui/Th.tsx';
import { valueAt } from './field-path.ts';
import type { LabelOf } from './issues.ts';
import { NOTHING } from '../../ui/nothing.ts';

interface ChangesTableProps {
  title: string;
  /** The fields to tell of. */
  paths: readonly string[];
  labelOf: LabelOf;
  columns: readonly { header: string; values: object }[];
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' && value.trim() !== '' ? value : NOTHING;
}

/** Some fields of a form as they stand in one version and in another. */
export function ChangesTable({ title, paths, labelOf, columns }: ChangesTableProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mb-4">
      <h3 id={id} className="mx-5 text-base font-semibold">
        {title}
      </h3>
      {paths.length === 0 ? (
        <p className="mx-5 text-base text-muted">Nothing shown in this form.</p>
      ) : (
        <Table label={title}>
          <thead>
            <tr>
              <Th>Field</Th>
              {columns.map(({ header }) => (
                <Th key={header}>{header}</Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {paths.map((path) => (
              <tr key={path}>
                <Td label="Field">{labelOf(path)}</Td>
                {columns.map(({ header, values }) => (
                  <Td key={header} label={header} className="wrap-anywhere whitespace-pre-line">
                    {textOf(valueAt(values, path))}
                  </Td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}
