import { Badge } from '../../ui/Badge.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { SafeText } from '../../ui/SafeText.tsx';

export interface PostDebugProps {
  facets: unknown;
  embed: unknown;
  /** What of them is not drawn, and why. */
  issues: readonly string[];
}

/** Enough to study any post; more would only stall the page. */
const SHOWN_MAX = 20_000;

function pretty(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX).toWellFormed()}…` : text;
}

/** What the author's client really sent. */
export function PostDebug({ facets, embed, issues }: PostDebugProps) {
  return (
    <Disclosure
      summary={
        <>
          <span>Facets and embed</span>
          {issues.length > 0 && (
            <Badge tone="amber" className="ms-1.5">
              {issues.length} {issues.length === 1 ? 'problem' : 'problems'}
            </Badge>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {issues.length > 0 && (
          <section aria-label="Problems">
            <h3 className="text-sm font-medium">Problems</h3>
            <ul className="mt-1 list-disc ps-5 text-sm text-amber">
              {issues.map((issue, index) => (
                // Two facets may have the same problem; the list never changes.
                // oxlint-disable-next-line react/no-array-index-key
                <li key={index} className="wrap-anywhere">
                  <SafeText>{issue}</SafeText>
                </li>
              ))}
            </ul>
          </section>
        )}
        <Dump title="Facets" value={facets} />
        <Dump title="Embed" value={embed} />
      </div>
    </Disclosure>
  );
}

function Dump({ title, value }: { title: string; value: unknown }) {
  return (
    <section aria-label={title}>
      <h3 className="text-sm font-medium">{title}</h3>
      <pre
        // Scrolls by keyboard too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="mt-1 max-h-96 overflow-auto rounded bg-sunken p-3 font-mono text-xs"
      >
        <SafeText>{pretty(value)}</SafeText>
      </pre>
    </section>
  );
}
