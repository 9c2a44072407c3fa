/**
 * The actions of the audit log, each with the kind of entity it is about. A call of the contract has
 * its own name.
 */
const ENTITIES = {
  authLogin: 'admin',
  authLoginFailed: 'admin',
  authThrottled: 'admin',
  authLogout: 'admin',
  authPassword: 'admin',
  authPasswordFailed: 'admin',
  adminCreate: 'admin',
  adminResetPassword: 'admin',
  adminUnlock: 'admin',
  adminDisable: 'admin',
  adminEnable: 'admin',
  settingsUpdate: 'settings',
  userUpdate: 'user',
  userRestrict: 'user',
  assignmentRevoke: 'assignment',
  postUpdate: 'post',
  postCancel: 'post',
  postDelete: 'post',
  /** Written by the engine: a call was under way when the post was deleted. */
  postPublishedAfterDelete: 'post',
  ticketIssue: 'ticket',
  ticketRevoke: 'ticket',
  planCreate: 'plan',
  planUpdate: 'plan',
  planSetActive: 'plan',
  planSetVisibility: 'plan',
  planPublish: 'plan',
  planPublishFailed: 'plan',
  currencyCreate: 'currency',
  currencyUpdate: 'currency',
  currencyDeactivate: 'currency',
  currencyActivate: 'currency',
} as const;

export type AuditAction = keyof typeof ENTITIES;

export function entityOf(action: AuditAction): string {
  return ENTITIES[action];
}
