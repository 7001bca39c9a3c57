import { systemActor } from '../../activity/actor.ts'
import { record } from '../../activity/record.ts'
import { mailTexts } from '../../mails/texts.ts'
import type { Database } from '../../platform/database/database.ts'
import { presentTime } from '../../platform/http/fields.ts'
import { forEachRow } from '../../platform/jobs/for-each-row.ts'
import type { Task } from '../../platform/jobs/tasks.ts'
import { connectionInHistory } from '../present-connection.ts'
import type { Connection } from '../queries.ts'
import { type TrustedCertificate, warningDueOf } from '../saml/certificates.ts'
import { certificatesOf } from '../saml-settings.ts'
import { claimCertificateWarning, listSamlConnections } from './queries.ts'
import { mailToContact } from './report-failure.ts'
import type { Federation } from './start.ts'

const daySeconds = 86_400
const batchSize = 200

export type CertificateWarnings = Pick<Federation, 'outbox' | 'publicUrl'>

/**
 * Tells the administrators of a connection by SAML, 30 and 7 days before, that its last certificate is about to expire: its provider will sign by another
 * key then. Each is told once of a certificate.
 */
export const warnOfCertificates = (warnings: CertificateWarnings): Task => ({
  name: 'warn-of-expiring-certificates',
  everySeconds: daySeconds,
  async run(database, stopping) {
    return forEachRow(
      {
        next: (after: Connection | undefined) => listSamlConnections(database.system(), after?.id ?? '', batchSize),
        failure: ({ organisationId, id }) => `the certificates of the connection ${id} of ${organisationId} could not be looked at`,
        stopping,
      },
      (connection) => warnOf(warnings, database, connection),
    )
  },
})

async function warnOf(warnings: CertificateWarnings, database: Database, connection: Connection): Promise<void> {
  const certificates = certificatesOf(connection)
  const [last] = certificates
  const days = warningDueOf(certificates, database.clock.now())
  // What has expired already is said by the status.
  if (!last || !days) return
  const warning = `${days}:${last.fingerprint}`
  // Most have been warned of already: they need no transaction.
  if (connection.certificateWarning !== warning) await warn(warnings, database, connection, { ...last, warning, days })
}

async function warn(
  { outbox, publicUrl }: CertificateWarnings,
  database: Database,
  connection: Connection,
  { fingerprint, notAfter, warning, days }: TrustedCertificate & { warning: string; days: number },
): Promise<void> {
  await database.transaction(connection.organisationId, async (tenant) => {
    if (!(await claimCertificateWarning(tenant, connection, warning))) return
    await record(tenant, systemActor, {
      action: 'connection.certificate_expiring',
      connection: connectionInHistory(connection, publicUrl, tenant.now),
      metadata: { fingerprint, expiresAt: presentTime(notAfter), days },
    })
    const { certificateExpiring } = mailTexts(undefined)
    await outbox.queue(
      tenant,
      await mailToContact(tenant, (organisation) => ({
        subject: certificateExpiring.subject(connection.name),
        paragraphs: [certificateExpiring.lead(connection.name, organisation, notAfter), certificateExpiring.next],
      })),
    )
  })
}
