import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Connection, connectionQuery } from '../../api/connections.ts'
import { directoryQuery } from '../../api/directories.ts'
import { domainQuery, nameOfDomain } from '../../api/domains.ts'
import { useMay } from '../../api/profile.ts'
import type { SetupLink } from '../../api/setup-links.ts'
import { Id } from '../../parts/copy.tsx'
import { connectionsTexts } from '../../texts/connections.ts'
import { setupLinksTexts as t } from '../../texts/setup-links.ts'
import { Facts } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'

/** A record by its name; for those who may not read it, by its id alone. */
function linkTo(to: '/domains/$id' | '/connections/$id/{-$tab}' | '/directories/$id/{-$tab}', id: string, name: string | undefined) {
  if (name === undefined) return <Id value={id} />
  return (
    <Link to={to} params={{ id }}>
      {name}
    </Link>
  )
}

/** What a link has made: which domain, which provider, and the keys of it that are trusted. Who activates it answers for them. */
export function MadeByLink({ link: { domainId, connectionId, directoryId } }: { link: SetupLink }) {
  const may = useMay()
  const domain = useQuery({ ...domainQuery(domainId ?? ''), enabled: domainId !== null && may('GET /v1/admin/domains/{id}') })
  const connection = useQuery({
    ...connectionQuery(connectionId ?? ''),
    enabled: connectionId !== null && may('GET /v1/admin/connections/{id}'),
  })
  const directory = useQuery({
    ...directoryQuery(directoryId ?? ''),
    enabled: directoryId !== null && may('GET /v1/admin/directories/{id}'),
  })
  const items: { term: string; value: ReactNode }[] = []
  if (domainId) {
    const name = domain.data && nameOfDomain(domain.data.body)
    items.push({ term: t.domain, value: linkTo('/domains/$id', domainId, name) })
  }
  if (connectionId) {
    items.push({ term: t.connection, value: linkTo('/connections/$id/{-$tab}', connectionId, connection.data?.body.name) })
    if (connection.data) items.push(...providerOf(connection.data.body))
  }
  if (directoryId) {
    items.push({ term: t.directory, value: linkTo('/directories/$id/{-$tab}', directoryId, directory.data?.body.name) })
  }
  return <Facts items={items.length > 0 ? items : [{ term: t.result, value: t.nothing }]} />
}

/** The provider as the connection names it, and by SAML the fingerprints of the certificates that are trusted. */
function providerOf({ provider, configuration, certificates }: Connection): { term: string; value: string }[] {
  const { fields, providers } = connectionsTexts
  const named = (['issuer', 'tenant', 'clientId', 'entityId', 'ssoUrl', 'metadataUrl'] as const).flatMap((field) => {
    const value = configuration[field]
    return typeof value === 'string' ? [{ term: fields[field], value }] : []
  })
  const keys = certificates.map(({ fingerprint }) => fingerprint).join(', ')
  return [{ term: t.provider, value: providers[provider] }, ...named, ...(keys ? [{ term: fields.certificates, value: keys }] : [])]
}
