import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Endpoint } from '@meridian/contract/endpoint';
import { EXPORT_FORMATS, type ExportFormat, type ExportNoun } from '@meridian/contract/exports';
import { Button } from '@meridian/ui/Button.tsx';
import { Menu, MenuItem } from '@meridian/ui/Menu.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import type { QueryArgs } from '@meridian/ui/api/call.ts';
import { messageOf } from '@meridian/ui/api/errors.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { formatNumber } from '@meridian/ui/format.ts';

interface ExportMenuProps<E extends Endpoint> {
  endpoint: E;
  noun: ExportNoun;
  query?: Omit<QueryArgs<E>, 'format'> | undefined;
  /** The number of rows in the file; there will be more where it is capped. */
  total: number | undefined;
  isCapped?: boolean | undefined;
}

const LABELS: Readonly<Record<ExportFormat, string>> = {
  csv: 'CSV for spreadsheets',
  ndjson: 'JSON, one object per line',
};
const FAILED = 'The export failed. No file was saved';

/** Saves a list as a file, where the server offers it. */
export function ExportMenu<E extends Endpoint>(props: ExportMenuProps<E>) {
  const { endpoint, noun, query, total, isCapped = false } = props;
  const isOffered = useIsMeridian();
  const [running, setRunning] = useState<AbortController>();
  const [done, setDone] = useState(0);
  const [failure, setFailure] = useState<string>();

  useEffect(() => () => running?.abort(), [running]);

  async function start(format: ExportFormat) {
    const stopped = new AbortController();
    setRunning(stopped);
    setDone(0);
    setFailure(undefined);
    try {
      const { exportRows } = await import('./export-rows.ts');
      const isLarge = isCapped || (total ?? 0) > 20_000;
      const { signal } = stopped;
      await exportRows(endpoint, query ?? {}, { noun, format, isLarge, signal, onRows: setDone });
    } catch (error) {
      // Stopped by the button, or in the browser's dialog.
      const isDismissed = error instanceof DOMException && error.name === 'AbortError';
      if (!stopped.signal.aborted && !isDismissed) setFailure(messageOf(error, FAILED));
    } finally {
      setRunning(undefined);
    }
  }

  if (!isOffered) return null;
  if (running !== undefined) {
    return (
      <div className="flex items-center gap-2.5 self-center">
        <output className="text-sm text-muted tabular-nums">
          {`Exported ${formatNumber(done)}`}
          {total !== undefined && ` of ${formatNumber(total)}${isCapped ? '+' : ''}`}
        </output>
        <Button size="sm" onClick={() => running.abort()}>
          Stop
        </Button>
      </div>
    );
  }
  return (
    <div className="flex items-center gap-2.5 self-center">
      {failure !== undefined && (
        <p role="alert" className="text-sm text-danger">
          <SafeText>{failure}</SafeText>
        </p>
      )}
      <Menu
        align="end"
        trigger={
          <Button size="sm" icon={<Download aria-hidden="true" className="size-4" />}>
            Export
          </Button>
        }
      >
        {EXPORT_FORMATS.map((format) => (
          <MenuItem key={format} onSelect={() => void start(format)}>
            {LABELS[format]}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
