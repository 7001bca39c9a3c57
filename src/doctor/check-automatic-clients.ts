import { sql } from 'kysely'
import { automaticClientsMax } from '../clients/automatic.ts'
import { type Check, firstOf, ok, warning } from './check.ts'

const nearly = 0.9 * automaticClientsMax

const full: Check = {
  name: 'automatic-clients',
  group: 'organisations',
  title: 'Every organisation has room for applications that introduce themselves',
  needsSchema: true,
  async run({ database }) {
    const { rows } = await sql<{ organisation: string; clients: number }>`
      select o.slug as organisation, count(*)::integer as clients from clients c join organisations o on o.id = c.organisation_id
      where c.automatic_client_id is not null and c.deleted_at is null and o.status <> 'cancelled'
      group by o.slug having count(*) >= ${nearly} order by o.slug`.execute(database.system())
    if (rows.length === 0) return ok('automatic-clients-have-room', { below: nearly })
    return warning('automatic-clients-full', { ...firstOf(rows), clientsMax: automaticClientsMax })
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
    if (rows.length === 0) return ok('client-documents-readable')
    return warning(
      'client-documents-unreadable',
      firstOf(rows.map(({ clientId, failingSince }) => ({ client: clientId, since: failingSince.toISOString() }))),
    )
  },
}

export const automaticClientChecks: readonly Check[] = [full, documents]
