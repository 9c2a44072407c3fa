import {
  AUDIT_ACTION_NAMES,
  AUDIT_ENTITY_NAMES,
  AUDIT_WORD_MAX_LENGTH,
} from '@meridian/contract/audit';
import { oneOf, text } from '../../components/list/list-params.ts';

const INSTANT_MAX_LENGTH = 30;

/** What the address of the audit log can say; the names are those of the call. */
export const AUDIT_PARAMS = {
  actor: text(AUDIT_WORD_MAX_LENGTH),
  action: oneOf(AUDIT_ACTION_NAMES),
  entity: oneOf(AUDIT_ENTITY_NAMES),
  entityId: text(AUDIT_WORD_MAX_LENGTH),
  batch: text(AUDIT_WORD_MAX_LENGTH),
  from: text(INSTANT_MAX_LENGTH),
  to: text(INSTANT_MAX_LENGTH),
};
