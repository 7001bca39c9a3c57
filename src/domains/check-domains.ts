import { systemActor } from '../activity/actor.ts'
import { record } from '../activity/record.ts'
import { secondsBefore } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { channels, notify } from '../platform/database/locks-and-channels.ts'
import { forEachRow } from '../platform/jobs/for-each-row.ts'
import type { Task } from '../platform/jobs/tasks.ts'
import type { FindChallenge } from './dns-records.ts'
import { presentDomainInHistory } from './present-domain.ts'
import { type DomainToCheck, domainsToCheck, markMissing, markStillProven, markUnproven } from './queries.ts'
import { hasLapsed } from './rules.ts'

const dayInSeconds = 86_400
const batchSize = 200
const atATime = 10

/**
 * Checks daily whether the record of each verified domain still exists. After a week without it the domain lapses. A cancelled organisation
 * could do nothing about it, so its domains are left alone.
 */
export const checkDomains = (findChallenge: FindChallenge): Task => ({
  name: 'check-domains',
  everySeconds: 3_600,
  async run(database, stopping) {
    const before = secondsBefore(database.clock.now(), dayInSeconds)
    return forEachRow(
      {
        next: (after: DomainToCheck | undefined) => domainsToCheck(database.system(), before, after?.id ?? '', batchSize),
        failure: ({ organisationId, id }) => `the domain ${id} of ${organisationId} could not be checked`,
        atATime,
        atMost: batchSize,
        stopping,
      },
      async ({ domain, challenge, ...key }) => {
        const { isPresent } = await findChallenge(domain, challenge)
        await noteCheck(database, key, isPresent)
      },
    )
  },
})

async function noteCheck(
  database: Database,
  { organisationId, id }: { organisationId: string; id: string },
  isPresent: boolean,
): Promise<void> {
  await database.transaction(organisationId, async (tenant) => {
    if (isPresent) return markStillProven(tenant, id)
    const domain = await markMissing(tenant, id)
    if (!domain?.failingSince || !hasLapsed(domain.failingSince, tenant.now)) return
    const lapsed = await markUnproven(tenant, domain, 'lapsed')
    await record(tenant, systemActor, { action: 'domain.lapsed', domain: presentDomainInHistory(lapsed) })
    await notify(tenant, channels.domains)
  })
}
