import { unique } from './given.ts'
import type { HttpClient } from './http-client.ts'
import type { TestService } from './service.ts'

/** A domain that an organisation has added. Its record is not in the DNS yet. */
export interface AddedDomain {
  id: string
  domain: string
  challenge: { type: 'TXT'; name: string; value: string }
}

export const uniqueDomain = () => `d-${unique()}.example`

export async function addDomain(
  owner: HttpClient,
  fields: { domain?: string; connectionId?: string; sso?: string } = {},
): Promise<AddedDomain> {
  const { status, body } = await owner.post('/v1/admin/domains', { domain: uniqueDomain(), ...fields })
  if (status !== 201) throw new Error(`A domain was refused: ${status} ${JSON.stringify(body)}`)
  return body
}

/** Puts the record of a domain into the DNS. */
export const publish = ({ dns }: TestService, { challenge }: AddedDomain) => dns.set(challenge.name, { texts: [challenge.value] })

/** A domain that the organisation has proven. */
export async function verifiedDomain(
  service: TestService,
  owner: HttpClient,
  fields: Parameters<typeof addDomain>[1] = {},
): Promise<AddedDomain> {
  const domain = await addDomain(owner, fields)
  publish(service, domain)
  const { status, body } = await owner.post(`/v1/admin/domains/${domain.id}/verify`)
  if (status !== 200) throw new Error(`A domain was not verified: ${status} ${JSON.stringify(body)}`)
  return body
}

/** A connection of the organisation to an identity provider that is never called. */
export async function insertConnection({ database, services }: TestService, organisationId: string): Promise<string> {
  const tenant = database.tenant(organisationId)
  const id = `con_${unique()}`
  await tenant
    .insertInto('connections')
    .values({
      id,
      slug: unique(),
      name: 'Acme',
      type: 'oidc',
      provider: 'oidc',
      configuration: '{}',
      secretEncrypted: services.keyring.encrypt('a secret of the provider', id),
      createdAt: tenant.now,
      updatedAt: tenant.now,
    })
    .execute()
  return id
}
