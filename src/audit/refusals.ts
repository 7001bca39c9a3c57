import { refusal } from '../platform/http/problem.ts'

export const auditEntryNotFound = refusal('audit-entry-not-found', 'not-found', 'Audit entry not found')

// Why entries of some actions are never undone.
export const undoWouldDelete = refusal(
  'undo-would-delete',
  'bad-request',
  'Undoing it would delete for good what was created. Delete it by its own operation, which says what ends with it',
)
export const undoDeletedForGood = refusal('undo-deleted-for-good', 'bad-request', 'What was deleted cannot be restored')
export const undoSecretGone = refusal(
  'undo-secret-gone',
  'bad-request',
  'A secret was replaced or removed, and the former one is not stored in a form in which it could come back',
)
export const undoMailSent = refusal('undo-mail-sent', 'bad-request', 'A mail has been sent, which cannot be taken back')
export const undoTrustSet = refusal(
  'undo-trust-set',
  'bad-request',
  'Whom a key trusts is set by a caller who may grant what it may do: change the key instead',
)
export const undoAccessEnded = refusal(
  'undo-access-ended',
  'bad-request',
  'Sessions, tokens and consents that have ended stay ended: the user signs in or consents again',
)
export const undoNothingChanged = refusal(
  'undo-nothing-changed',
  'bad-request',
  'The entry says that something happened. It changed no record that could be as before',
)
export const undoByTheUser = refusal('undo-by-the-user', 'bad-request', 'Only the user can take it back, in the account')
export const undoByOwner = refusal(
  'undo-by-owner',
  'bad-request',
  'Only the present owner can transfer the ownership again, by its own operation',
)
export const undoByOperator = refusal('undo-by-operator', 'bad-request', 'Only the operator of the service can take it back')
export const undoByProof = refusal('undo-by-proof', 'bad-request', 'It follows from a proof, which no administrator gives or takes away')
export const undoByDirectory = refusal(
  'undo-by-directory',
  'bad-request',
  'A directory has changed it, and would change it again: change it there',
)
export const undoOfOtherEntry = refusal(
  'undo-of-other-entry',
  'bad-request',
  'It came along with another change: undo the entry of that one, of the same request',
)
