import { ENGINE_MESSAGES } from '@meridian/contract/engine';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { Clock } from '../../components/Clock.tsx';
import { useEngine } from '../../components/engine/use-engine.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { NotFoundPage } from '../../components/NotFoundPage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { EngineFigures } from './EngineFigures.tsx';
import { EngineTable } from './EngineTable.tsx';
import { HELD_COLUMNS, HOST_COLUMNS, WORKER_COLUMNS } from './engine-columns.tsx';
import { NextHourCard } from './NextHourCard.tsx';

export function EnginePage() {
  const isOffered = useIsMeridian();
  const query = useEngine();
  const { data, dataUpdatedAt, error } = query;
  if (!isOffered) return <NotFoundPage />;
  return (
    <>
      <PageTitle
        title="Engine"
        context="What publishes the scheduled posts"
        actions={error === null && <Clock at={data && new Date(dataUpdatedAt)} />}
      />
      <LoadError className="mb-4" query={query} failed={ENGINE_MESSAGES.loadFailed} />
      {data === undefined && error === null && <LoadingNote />}
      {(data !== undefined || error === null) && (
        <div className="flex flex-col gap-4" aria-busy={data === undefined}>
          <EngineFigures state={data} />
          <NextHourCard minutes={data?.nextHour} />
          {/* Nothing stands below the tables, so that their first rows move nothing. */}
          {data !== undefined && (
            <>
              <EngineTable
                title="Held posts"
                description="They wait until the reason is gone. What is too late by then fails."
                empty="No post is held."
                columns={HELD_COLUMNS}
                rows={data.held}
                rowKey={({ hold }) => hold}
              />
              <EngineTable
                title="Workers"
                empty="No worker has ever reported. Start one with npm start or npm run engine."
                columns={WORKER_COLUMNS}
                rows={data.workers}
                rowKey={({ id }) => id}
                cellsPerLine={3}
              />
              <EngineTable
                title="Hosts"
                empty="No host has been called yet."
                columns={HOST_COLUMNS}
                rows={data.hosts}
                rowKey={({ host }) => host}
                cellsPerLine={3}
              />
            </>
          )}
        </div>
      )}
    </>
  );
}
