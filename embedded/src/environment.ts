/**
 * What PostgreSQL sees of the environment: nothing of ours. English messages (they are matched),
 * UTC, and no PG* variable that would change where or how it starts.
 */
export function postgresEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
  };
}
