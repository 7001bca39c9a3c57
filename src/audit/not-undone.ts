import { type KindWith, kinds } from '../../shared/kinds.ts'
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
  undoTrustSet,
  undoWouldDelete,
} from './refusals.ts'

export type AuditedAction = {
  [A in Action]: (typeof catalogue)[A] extends { audited: false } ? never : A
}[Action]

type KindWithHistory = KindWith<'history'>
type OfKinds = { readonly [K in KindWithHistory as `${K}.created`]: typeof undoWouldDelete } & {
  readonly [K in KindWithHistory as `${K}.deleted`]: typeof undoDeletedForGood
}

const ofKinds = Object.fromEntries(
  Object.entries(kinds).flatMap(([name, kind]) =>
    'history' in kind
      ? [
          [`${name}.created`, undoWouldDelete],
          [`${name}.deleted`, undoDeletedForGood],
        ]
      : [],
  ),
) as OfKinds

/** The actions whose entries are never undone, and why. The folder `undo` handles the others. */
export const notUndone = {
  ...ofKinds,
  'user.created': undoWouldDelete,
  'client_host.blocked': undoWouldDelete,
  'registration_token.created': undoWouldDelete,
  'setup_link.created': undoWouldDelete,
  'mfa.enabled': undoWouldDelete,
  'passkey.registered': undoWouldDelete,
  'identity.linked': undoWouldDelete,
  'oauth2.consent.granted': undoWouldDelete,
  'oauth2.identity_assertion.issued': undoNothingChanged,
  'oauth2.identity_assertion.accepted': undoNothingChanged,
  'organisation.imported': undoWouldDelete,
  'organisation.users_imported': undoWouldDelete,

  'user.erased': undoDeletedForGood,
  'client_host.unblocked': undoDeletedForGood,
  'passkey.deleted': undoDeletedForGood,
  'identity.unlinked': undoDeletedForGood,

  'client.secret_rotated': undoSecretGone,
  'api_key.updated': undoTrustSet,
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
  'api_key.exchanged': undoNothingChanged,
  'sign_in.checked': undoNothingChanged,
  'sign_in.unknown_checked': undoNothingChanged,
  'oauth2.identity_assertion.checked': undoNothingChanged,
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
  'client.logout_tested': undoNothingChanged,
  'client.logout_replayed': undoNothingChanged,
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
