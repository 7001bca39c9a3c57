import { foldCountedSignIns, removeOldSignInCounts } from '../activity/sign-in-counts.ts'
import { removeExpiredExchangedKeys } from '../api-keys/exchanged-keys.ts'
import { removeUnboundClients } from '../automatic-clients/registrations/remove-unbound-clients.ts'
import { removeUnusedClients, removeUnusedDocuments } from '../automatic-clients/remove-unused.ts'
import { noticeEndedSessions, removeOldLogouts } from '../backchannel-logout/notice-ended-sessions.ts'
import { type DocumentRefresh, refreshDocuments } from '../connections/federation/refresh-documents.ts'
import { type CertificateWarnings, warnOfCertificates } from '../connections/federation/warn-of-certificates.ts'
import { removeExpiredRequests } from '../connections/remove-expired-requests.ts'
import { removeOldDirectoryRequests, reportSilentDirectories } from '../directories/scim/report-failing.ts'
import { checkDomains } from '../domains/check-domains.ts'
import type { FindChallenge } from '../domains/dns-records.ts'
import { removeExpiredCodes } from '../email-codes/remove-expired-codes.ts'
import { removeExpiredAnswers } from '../idempotency/answers.ts'
import { markExpiredInvitations } from '../invitations/expire-invitations.ts'
import { removeEndedConsents } from '../oauth/authorization/remove-ended-consents.ts'
import { removeOldDiagnostics } from '../oauth/protocol/diagnostics.ts'
import { removeSpentChallenges } from '../passkeys/remove-spent-challenges.ts'
import { foldStoredCounts } from '../platform/jobs/fold-stored-counts.ts'
import { analyseTables, vacuumTables } from '../platform/jobs/maintain-tables.ts'
import type { Task } from '../platform/jobs/tasks.ts'
import { removeEndedWindows } from '../platform/rate-limits/database-counters.ts'
import { removeUnconfirmedOrganisations, type UnconfirmedRemoval } from '../provisioning/remove-unconfirmed.ts'
import { removeEndedSessions } from '../sessions/remove-ended-sessions.ts'
import { type Following, followSetupLinks, removeOldSetupLinks } from '../setup-links/follow-setup-links.ts'
import { exportCancelledOrganisations } from '../system/export-cancelled-organisations.ts'
import { type Purge, purgeOrganisations } from '../system/purge-organisations.ts'
import { type ReEncryption, reEncryptSecrets } from '../system/re-encrypt-secrets.ts'
import { removeExpiredTokens } from '../tokens/remove-expired-tokens.ts'
import { rotateDueSigningKeys } from '../tokens/rotate-signing-keys.ts'
import { removeOldDeliveries, removeOldWebhookHours } from '../webhooks/delivery/remove-old-deliveries.ts'
import { noticeClockSetBack } from './clock-set-back.ts'

export interface TaskSettings extends Purge, ReEncryption, DocumentRefresh, CertificateWarnings, UnconfirmedRemoval, Following {
  dataDir: string
  /** Whether the database is the embedded one, which leaves it to us to look after its tables. */
  isEmbedded: boolean
  webhookLeaseSeconds: number
  findChallenge: FindChallenge
}

/** The periodic tasks, each of which runs in one process at a time. */
export const tasksOf = (settings: TaskSettings): readonly Task[] => [
  noticeClockSetBack(settings.webhookLeaseSeconds),
  // Before the next one, which removes what this one has told of.
  noticeEndedSessions,
  removeEndedSessions,
  removeSpentChallenges,
  removeUnusedClients,
  removeUnusedDocuments,
  removeExpiredCodes,
  removeExpiredExchangedKeys,
  removeExpiredRequests,
  removeUnboundClients,
  removeEndedWindows,
  removeExpiredAnswers,
  removeUnconfirmedOrganisations(settings),
  removeOldDeliveries,
  removeOldWebhookHours,
  removeOldLogouts,
  removeExpiredTokens,
  removeEndedConsents,
  removeOldDiagnostics,
  foldStoredCounts,
  foldCountedSignIns,
  removeOldSignInCounts,
  rotateDueSigningKeys(settings.keyring),
  markExpiredInvitations,
  exportCancelledOrganisations(settings.dataDir),
  purgeOrganisations(settings),
  reEncryptSecrets(settings),
  removeOldDirectoryRequests,
  reportSilentDirectories,
  followSetupLinks(settings),
  removeOldSetupLinks,
  checkDomains(settings.findChallenge),
  refreshDocuments(settings),
  warnOfCertificates(settings),
  ...(settings.isEmbedded ? [vacuumTables, analyseTables] : []),
]
