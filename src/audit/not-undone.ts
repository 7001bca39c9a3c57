import type { Action, catalogue } from '../activity/catalogue.ts'
import type { Problem } from '../platform/http/problem.ts'
import {
  undoAccessEnded,
  undoByDirectory,
  undoByOperator,
  undoByOwner,
  undoByProof,
  undoByTheUser,
  undoDeletedForGood,
  undoMailSent,
  undoNothingChanged,
  undoOfOtherEntry,
  undoSecretGone,
  undoWouldDelete,
} from './refusals.ts'

export type AuditedAction = {
  [A in Action]: (typeof catalogue)[A] extends { audited: false } ? never : A
}[Action]

/** The actions whose entries are never undone, and why. The folder `undo` handles the others. */
export const notUndone = {
  'user.created': undoWouldDelete,
  'role.created': undoWouldDelete,
  'team.created': undoWouldDelete,
  'client.created': undoWouldDelete,
  'client_host.blocked': undoWouldDelete,
  'resource_server.created': undoWouldDelete,
  'registration_token.created': undoWouldDelete,
  'api_key.created': undoWouldDelete,
  'connection.created': undoWouldDelete,
  'directory.created': undoWouldDelete,
  'setup_link.created': undoWouldDelete,
  'domain.created': undoWouldDelete,
  'webhook.created': undoWouldDelete,
  'mfa.enabled': undoWouldDelete,
  'passkey.registered': undoWouldDelete,
  'identity.linked': undoWouldDelete,
  'oauth2.consent.granted': undoWouldDelete,
  'organisation.imported': undoWouldDelete,
  'organisation.users_imported': undoWouldDelete,

  'user.erased': undoDeletedForGood,
  'role.deleted': undoDeletedForGood,
  'team.deleted': undoDeletedForGood,
  'client.deleted': undoDeletedForGood,
  'client_host.unblocked': undoDeletedForGood,
  'resource_server.deleted': undoDeletedForGood,
  'api_key.deleted': undoDeletedForGood,
  'connection.deleted': undoDeletedForGood,
  'directory.deleted': undoDeletedForGood,
  'domain.deleted': undoDeletedForGood,
  'webhook.deleted': undoDeletedForGood,
  'passkey.deleted': undoDeletedForGood,
  'identity.unlinked': undoDeletedForGood,

  'client.secret_rotated': undoSecretGone,
  'connection.secret_rotated': undoSecretGone,
  'connection.keys_rotated': undoSecretGone,
  'directory.token_created': undoSecretGone,
  'directory.token_ended': undoSecretGone,
  'webhook.secret_rotated': undoSecretGone,
  'user.password_changed': undoSecretGone,
  'user.password_removed': undoSecretGone,
  'user.recovered': undoSecretGone,
  'auth.password_reset': undoSecretGone,
  'mfa.disabled': undoSecretGone,
  'mfa.backup_codes_replaced': undoSecretGone,

  'invitation.sent': undoMailSent,
  'invitation.cancelled': undoMailSent,
  'auth.password_reset_requested': undoMailSent,
  'auth.email_code_requested': undoMailSent,
  'auth.email_verification_requested': undoMailSent,

  'setup_link.ended': undoDeletedForGood,
  'registration_token.ended': undoDeletedForGood,
  'session.revoked': undoAccessEnded,
  'auth.logout': undoAccessEnded,
  'oauth2.token.revoked': undoAccessEnded,
  'oauth2.consent.revoked': undoAccessEnded,

  'user.looked_up': undoNothingChanged,
  'sign_in.checked': undoNothingChanged,
  'sign_in.unknown_checked': undoNothingChanged,
  'user.password_breached': undoNothingChanged,
  'auth.password_expired': undoNothingChanged,
  'invitation.accepted': undoNothingChanged,
  'organisation.exported': undoNothingChanged,
  'login.success': undoNothingChanged,
  'login.failed': undoNothingChanged,
  'login.locked': undoNothingChanged,
  'login.unlocked': undoNothingChanged,
  'session.reauthenticated': undoNothingChanged,
  'session.stepped_up': undoNothingChanged,
  'mfa.enrolment_started': undoNothingChanged,
  'passkey.clone_suspected': undoNothingChanged,
  'connection.failing': undoNothingChanged,
  'connection.certificate_expiring': undoNothingChanged,
  'setup_link.used': undoNothingChanged,
  'setup_link.finished': undoNothingChanged,
  'directory.failing': undoNothingChanged,
  'directory.activation_ignored': undoNothingChanged,
  'directory.request_tried': undoNothingChanged,
  'webhook.tested': undoNothingChanged,
  'webhook.replayed': undoNothingChanged,

  'passkey.renamed': undoByTheUser,

  'organisation.ownership_transferred': undoByOwner,

  'permission.created': undoByOperator,
  'permission.deleted': undoByOperator,
  'organisation.created': undoByOperator,
  'organisation.suspended': undoByOperator,
  'organisation.activated': undoByOperator,
  'organisation.deleted': undoByOperator,
  'organisation.restored': undoByOperator,
  'database.backed_up': undoByOperator,
  'database.restored': undoByOperator,
  'database.moved': undoByOperator,
  'database.migrated': undoByOperator,
  'signing_keys.rotated': undoByOperator,
  'secret_key.rotated': undoByOperator,

  'auth.email_verified': undoByProof,
  'domain.verified': undoByProof,
  'domain.lapsed': undoByProof,

  'directory.user_adopted': undoByDirectory,
  'directory.user_updated': undoByDirectory,
  'directory.user_deprovisioned': undoByDirectory,
  'directory.group_created': undoByDirectory,
  'directory.group_updated': undoByDirectory,
  'directory.group_deleted': undoByDirectory,

  'setup_link.activated': undoOfOtherEntry,
  'permission.granted': undoOfOtherEntry,
} as const satisfies Partial<Record<AuditedAction, (() => Problem) & { code: string }>>

export type UndoableAction = Exclude<AuditedAction, keyof typeof notUndone>

/** The refusal for an action whose entries are never undone. */
export const whyNotUndone = (action: string): (typeof notUndone)[keyof typeof notUndone] | undefined =>
  Object.hasOwn(notUndone, action) ? notUndone[action as keyof typeof notUndone] : undefined
