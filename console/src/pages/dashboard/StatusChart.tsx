import type { Stats } from '@meridian/contract/overview';
import { useId } from 'react';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { statusLabel } from '../../components/status-label.ts';
import { STATUS_TONES } from '../../components/status-tones.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { PieChart } from '../../ui/PieChart.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

export interface StatusChartProps {
  title: string;
  /** Undefined until they are known. */
  stats: Stats['posts'] | undefined;
  /** The filtered list; undefined where the list knows no such status. */
  linkOf: (status: string) => string | undefined;
}

/** The lines of a legend, before it is known which. */
const LEGEND = ['55%', '70%', '60%', '65%'] as const;

export function StatusChart({ title, stats, linkOf }: StatusChartProps) {
  const titleId = useId();
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader title={title} titleId={titleId} />
      {/* As high as a pie with its legend, so that nothing moves when they come. */}
      <CardBody className="flex min-h-58 flex-col justify-center">
        {stats === undefined ? (
          <div aria-hidden="true" className="flex flex-wrap items-center gap-x-10 gap-y-6">
            <Skeleton round width="11rem" height="11rem" className="mx-auto" />
            <div className="min-w-[min(100%,13rem)] flex-1">
              {LEGEND.map((width) => (
                <div key={width} className="flex min-h-8 items-center coarse:min-h-10">
                  <Skeleton width={width} />
                </div>
              ))}
            </div>
          </div>
        ) : (
          <PieChart
            label={title}
            keyLabel="Status"
            total={stats.total}
            data={stats.byStatus.map(({ status, count }) => ({
              key: status,
              label: statusLabel(status),
              value: count,
              tone: STATUS_TONES[status],
            }))}
            renderLink={({ key }, link) => {
              const to = linkOf(key);
              return to === undefined ? undefined : <AppLink to={to} {...link} />;
            }}
          />
        )}
      </CardBody>
    </Card>
  );
}
