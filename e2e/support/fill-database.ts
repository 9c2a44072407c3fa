import { createFilled, startCluster } from '../../bench/databases.ts';
import { createClosers } from '../../server/src/background-task.ts';
import { STORY_POSTS } from './story-posts.ts';

/** Once before all stories: a PostgreSQL server with as many posts as they are told among. */
export default async function fillDatabase(): Promise<() => Promise<void>> {
  const closers = createClosers();
  // A database of an earlier run, which is copied and stays as it is.
  if (process.env['STORY_DATABASE'] === undefined) {
    try {
      const cluster = await startCluster(closers);
      // The workers of the test runner inherit it.
      process.env['STORY_DATABASE'] = await createFilled(cluster, 'filled', STORY_POSTS);
    } catch (error) {
      await closers.closeAll();
      throw error;
    }
  }
  return () => closers.closeAll();
}
