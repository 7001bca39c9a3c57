import { sql } from 'kysely'
import { automaticClientsMax } from '../clients/automatic.ts'
import { type Check, ok, someOf, warning } from './check.ts'

const nearly = 0.9 * automaticClientsMax

const full: Check = {
  name: 'automatic-clients',
  group: 'organisations',
  title: 'Every organisation has room for applications that introduce themselves',
  needsSchema: true,
  async run({ database }) {
    const { rows } = await sql<{ slug: string; count: number }>`
      select o.slug, count(*)::integer as count from clients c join organisations o on o.id = c.organisation_id
      where c.automatic_client_id is not null and c.deleted_at is null and o.status <> 'cancelled'
      group by o.slug having count(*) >= ${nearly} order by o.slug`.execute(database.system())
    if (rows.length === 0) return ok(`None has ${nearly} or more`)
    return warning(`Of ${automaticClientsMax}: ${someOf(rows.map(({ slug, count }) => `${slug} ${count}`))}`, {
      why: 'Beyond the limit, users cannot allow another one',
      remedy: `Delete those that are not used (Applications, by documents), or \`gatehouse client list --origin metadata_document --organisation ${rows[0]?.slug}\`; those that are not used for 30 days go by themselves`,
    })
  },
}

const documents: Check = {
  name: 'client-documents',
  group: 'organisations',
  title: 'The document of every application that introduced itself by one can be read',
  needsSchema: true,
  async run({ database }) {
    const { rows } = await sql<{ clientId: string; failingSince: Date }>`
      select d.client_id, d.failing_since from client_documents d
      where d.failing_since is not null and exists (
        select from clients c join organisations o on o.id = c.organisation_id
        where c.automatic_client_id = d.client_id and c.is_active and c.deleted_at is null and o.status in ('trial', 'active'))
      order by d.failing_since, d.client_id`.execute(database.system())
    if (rows.length === 0) return ok('No document that an organisation needs has failed')
    return warning(someOf(rows.map(({ clientId, failingSince }) => `${clientId} since ${failingSince.toISOString()}`)), {
      why: 'Once the copy that is stored has expired, users cannot sign in to the application any more, and one with keys loses access a day later',
      remedy:
        'Open the address as this service would: it has to be https, public (OUTGOING_PRIVATE_HOSTS opens others) and a valid document. `gatehouse explain sign-in` says what is wrong; if the application is gone, delete it',
    })
  },
}

export const automaticClientChecks: readonly Check[] = [full, documents]
