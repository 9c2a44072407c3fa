import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type StatusCount = { status: string; count: number };

export async function countUsersByStatus(db: Db): Promise<StatusCount[]> {
  return db.many<StatusCount>(sql`select status, count(*) from users group by status`);
}

export async function countPostsByStatus(db: Db): Promise<StatusCount[]> {
  return db.many<StatusCount>(sql`select status, count(*) from posts group by status`);
}
