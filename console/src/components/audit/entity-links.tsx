import type { AuditEntry } from '@meridian/contract/audit';
import { AUDIT_ACTIONS, AUDIT_ENTITIES } from '@meridian/contract/audit';
import { paths } from '../../paths.ts';
import { Mono } from '../../ui/Mono.tsx';
import { AppLink } from '../navigation/AppLink.tsx';

const ADDRESSES: Readonly<Record<string, (id: string) => string>> = {
  user: paths.user,
  post: paths.post,
  ticket: paths.ticket,
  plan: paths.planEdit,
  currency: paths.currencyEdit,
  settings: () => paths.settings,
};

/** What another version of the server calls otherwise is shown in its own word. */
export function actionLabel(action: string): string {
  const known: Readonly<Record<string, { label: string }>> = AUDIT_ACTIONS;
  return Object.hasOwn(known, action) ? (known[action]?.label ?? action) : action;
}

export function entityLabel(entity: string): string {
  const known: Readonly<Record<string, string>> = AUDIT_ENTITIES;
  return Object.hasOwn(known, entity) ? (known[entity] ?? entity) : entity;
}

/** What an entry is about, linked where it has a page. */
export function EntityLink({ entry: { entity, entityId } }: { entry: AuditEntry }) {
  const label = entityLabel(entity);
  if (entityId === null) return label;
  const name = (
    <>
      {label} {entity !== 'settings' && <Mono value={entityId} short={18} />}
    </>
  );
  const address = ADDRESSES[entity]?.(entityId);
  if (address === undefined) return name;
  return (
    <AppLink
      to={address}
      className="underline underline-offset-2"
      aria-label={`${label} ${entityId}`}
    >
      {name}
    </AppLink>
  );
}
