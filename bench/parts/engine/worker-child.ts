import { runEngine } from './arm-engine.ts';
import { runGraphile } from './arm-graphile.ts';
import { runLoop } from './arm-loop.ts';
import type { Arm, WorkerOrder } from './workers.ts';

/** An arm that is ready; the arms with a database begin when posts are due. */
export type RunningArm = { begin?(startAt: number): void; stop(): Promise<void> };

const ARMS: Record<Arm, (order: WorkerOrder) => Promise<RunningArm>> = {
  loop: runLoop,
  graphile: runGraphile,
  engine: runEngine,
};

process.once('disconnect', () => process.exit(0));
process.once('message', (order: WorkerOrder) => {
  void ARMS[order.arm](order).then((arm) => {
    process.on('message', (message: number | 'stop') => {
      if (message === 'stop') void arm.stop().then(() => process.disconnect());
      else arm.begin?.(message);
    });
    process.send?.('ready');
  });
});
