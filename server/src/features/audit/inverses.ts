import { currencyUpdateBody } from '@meridian/contract/currencies';
import { planUpdateBody } from '@meridian/contract/plans';
import { postUpdate } from '@meridian/contract/posts';
import { settingsPatchBody } from '@meridian/contract/settings';
import { userUpdate } from '@meridian/contract/users';
import type * as z from 'zod/mini';
import type { Author } from '../../audit/author.ts';
import { AppError } from '../../http/app-error.ts';
import type { createServices } from '../../services.ts';

type Fields = Record<string, unknown>;
/** Something as it is now: its fields by the names of the audit log. */
type Current = { id: string; version: number; state: Fields };

type Inverse = {
  read(id: string): Promise<Current>;
  /** Through the service of the noun: its rules hold, and it writes the entry. */
  apply(by: Author, current: Current, before: Fields): Promise<unknown>;
};

/** By kind of entity: how fields are set back. */
export type Inverses = Partial<Record<string, Inverse>>;

type Nouns = Pick<
  ReturnType<typeof createServices>,
  'users' | 'posts' | 'plans' | 'currencies' | 'settings'
>;

export function createInverses({ users, posts, plans, currencies, settings }: Nouns): Inverses {
  return {
    user: {
      read: async (id) => currentOf(await users.get(id)),
      async apply(by, { id, version }, { upgrade_prohibited, ...body }) {
        if (typeof upgrade_prohibited === 'boolean') {
          return users.restrict(by, id, upgrade_prohibited, [version]);
        }
        return users.update(by, id, parsed(userUpdate.body, body), [version]);
      },
    },
    post: {
      read: async (id) => currentOf(await posts.get(id)),
      apply: (by, { id, version }, before) =>
        posts.changeStatus(by, id, parsed(postUpdate.body, before).status, [version]),
    },
    plan: {
      read: async (id) => currentOf(await plans.get(id)),
      // A plan is always written as a whole: what the entry does not name stays as it is.
      apply: (by, { id, version, state }, before) =>
        plans.update(by, id, parsed(planUpdateBody, contentOf({ ...state, ...before })), [version]),
    },
    currency: {
      read: async (id) => currentOf(await currencies.get(id)),
      apply: (by, { id, version }, before) =>
        currencies.update(by, id, parsed(currencyUpdateBody, before), [version]),
    },
    settings: {
      read: async (id) => currentOf({ id, ...(await settings.get()) }),
      apply: (by, { version }, before) =>
        settings.update(by, parsed(settingsPatchBody, before), [version]),
    },
  };
}

function currentOf(entity: { id: string; version: number }): Current {
  return { id: entity.id, version: entity.version, state: { ...entity } };
}

function contentOf(state: Fields): Fields {
  const names = Object.keys(planUpdateBody.shape);
  return Object.fromEntries(names.map((name) => [name, state[name]]));
}

/** What once was may not fit any more: the rules of today decide. */
function parsed<S extends z.ZodMiniType>(schema: S, value: Fields): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw new AppError('entry_final', { cause: result.error });
  return result.data;
}
