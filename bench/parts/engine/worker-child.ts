import { runEngine } from './arm-engine.ts';
import { runGraphile } from './arm-graphile.ts';
import { runLoop } from './arm-loop.ts';
import type { Arm, RunningArm, WorkerOrder } from './workers.ts';

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
