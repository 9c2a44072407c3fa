/** The content type of Prometheus' text format. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Readonly<Record<string, string>>;
export type Sample = { value: number; labels?: Labels; suffix?: '_bucket' | '_sum' | '_count' };
export type Family = {
  name: string;
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  samples: readonly Sample[];
};

/** A family of one number without labels, as most are. */
export function single(
  kind: 'counter' | 'gauge',
  name: string,
  help: string,
  value: number,
): Family {
  return { name, kind, help, samples: [{ value }] };
}

export function expose(families: readonly Family[]): string {
  const lines = families.flatMap(({ name, kind, help, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    ...samples.map(
      ({ value, labels = {}, suffix = '' }) => `${name}${suffix}${textOf(labels)} ${value}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}

function textOf(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
