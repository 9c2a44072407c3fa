import type { Readable } from 'node:stream';
import type { BodyInput } from '@meridian/contract/endpoint';
import { meMediaUpload, mePostCreate } from '@meridian/contract/me/posts';
import type { TestApp } from '../../../../test/app.ts';
import { userWithLimits } from '../../../../test/plan-fixtures.ts';
import { signInMember } from '../../../../test/members.ts';
import { sql } from '../../../db/sql.ts';
import { png } from './picture-files.ts';

type PostBody = BodyInput<typeof mePostCreate>;

/** A person with a plan of these limits, signed in; `headers` are those of the browser. */
export async function startMember(api: TestApp, limits: Record<string, unknown> = {}) {
  const userId = await userWithLimits(api.db, limits);
  const headers = await signInMember(api, userId);

  return {
    userId,
    headers,
    /** The raw response: the body is no JSON. Async, since an injected request begins when it is awaited. */
    upload: async (bytes: Buffer | Readable = png(), type = 'image/png') =>
      api.app.inject({
        method: 'POST',
        url: meMediaUpload.path,
        headers: { ...headers, 'content-type': type },
        payload: bytes,
      }),
    schedule: (body: Partial<PostBody> = {}, more: Record<string, string> = {}) =>
      api.call(mePostCreate, {
        headers: { ...headers, ...more },
        body: { content: 'Hello', scheduledAt: inMinutes(90), ...body },
      }),
    async picture(bytes?: Buffer): Promise<string> {
      const response = await this.upload(bytes);
      return meMediaUpload.answer.parse(response.json()).media.id;
    },
  };
}

export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

export async function countPosts({ db }: TestApp, userId: string): Promise<number> {
  const { n } = await db.one<{ n: number }>(
    sql`select count(*) as n from posts where user_id = ${userId}`,
  );
  return n;
}
