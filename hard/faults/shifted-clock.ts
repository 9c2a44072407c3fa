/*
 * Loaded before the server (`node --import`): its clock is wrong by CLOCK_SHIFT_MS, and jumps by
 * CLOCK_JUMP_MS more at the signal SIGUSR2. What only goes forward (`performance.now`, timers) is left
 * alone, as it is when a machine's clock is set.
 */

const Real = Date;
let shift = Number(process.env['CLOCK_SHIFT_MS'] ?? 0);

process.on('SIGUSR2', () => {
  shift += Number(process.env['CLOCK_JUMP_MS'] ?? 0);
});

globalThis.Date = new Proxy(Real, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [Real.now() + shift] : args, newTarget),
  apply: () => new Real(Real.now() + shift).toString(),
  get: (target, key, receiver) =>
    key === 'now' ? () => Real.now() + shift : Reflect.get(target, key, receiver),
});
