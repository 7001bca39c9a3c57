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

export const automaticClientChecks: readonly Check[] = [full]
