import { writeSync } from 'node:fs';

/*
 * Loaded before a program: at its end it says how much memory it had at most. Looked at all the
 * time, as `maxRSS` of a child process begins with what its parent had.
 */
const EVERY_MS = 5;

let most = 0;
const look = () => {
  most = Math.max(most, process.memoryUsage.rss());
};
setInterval(look, EVERY_MS).unref();
process.on('exit', () => {
  look();
  writeSync(1, `Peak memory ${Math.round(most / 1024)} kB\n`);
});
