import { type Organisation, presentOrganisation } from '../organisations/present-organisation.ts'
import { getOwnOrganisation } from '../organisations/queries.ts'
import { OrganisationChanges } from '../organisations/schemas.ts'
import type { Tenant } from '../platform/database/database.ts'
import { keysOf } from './keys.ts'
import type { ConfigurationDependencies, Kind } from './kind.ts'
import { apiKeyKind } from './kinds/api-keys.ts'
import { clientKind } from './kinds/clients.ts'
import { connectionKind } from './kinds/connections.ts'
import { directoryKind } from './kinds/directories.ts'
import { resourceAuthorizationServerKind } from './kinds/resource-authorization-servers.ts'
import { resourceServerKind } from './kinds/resource-servers.ts'
import { roleKind } from './kinds/roles.ts'
import { teamKind } from './kinds/teams.ts'
import { webhookKind } from './kinds/webhooks.ts'
import { type Current, type CurrentObject, type Fields, type Section, sections } from './plan.ts'
import { findStoredKeys, type KeyedSection } from './queries.ts'

export const kinds: Readonly<Record<Section, Kind>> = {
  roles: roleKind,
  teams: teamKind,
  resourceServers: resourceServerKind,
  clients: clientKind,
  resourceAuthorizationServers: resourceAuthorizationServerKind,
  connections: connectionKind,
  directories: directoryKind,
  webhooks: webhookKind,
  apiKeys: apiKeyKind,
}

/** The sections whose objects have no unique name of their own. */
export const keyedSections = sections.filter((section): section is KeyedSection => kinds[section].keyField === undefined)

/** Whether objects of a section name those of another one. */
export const refersTo = (section: Section, other: Section): boolean => kinds[section].refersTo?.includes(other) === true

/**
 * The current state of the organisation, in the terms of a document.
 *
 * @param wanted the sections to read, with those that they refer to. To use another one is a mistake, and throws
 * @param own the organisation, if the caller has read it in the same transaction
 */
export async function readCurrent(
  tenant: Tenant,
  dependencies: Pick<ConfigurationDependencies, 'keyring'>,
  wanted: readonly Section[] = sections,
  own?: Organisation,
): Promise<Current> {
  const settings = own ? settingsOf(own) : await readSettings(tenant)
  const needed = withReferences(wanted)
  const found: Partial<Record<Section, Map<string, CurrentObject>>> = {}
  for (const section of sections.filter((one) => needed.has(one))) found[section] = await readSection(tenant, section, found, dependencies)
  return { settings, ...(found as Record<Section, Map<string, CurrentObject>>) }
}

function withReferences(wanted: readonly Section[]): Set<Section> {
  const needed = new Set(wanted)
  for (const section of needed) for (const referred of kinds[section].refersTo ?? []) needed.add(referred)
  return needed
}

export const readSettings = async (tenant: Tenant): Promise<Fields> => settingsOf(await getOwnOrganisation(tenant))

function settingsOf(own: Organisation): Fields {
  const organisation: Record<string, unknown> = { ...presentOrganisation(own) }
  return Object.fromEntries(Object.keys(OrganisationChanges.shape).map((name) => [name, organisation[name]]))
}

async function readSection(
  tenant: Tenant,
  section: Section,
  before: Partial<Current>,
  dependencies: Pick<ConfigurationDependencies, 'keyring'>,
): Promise<Map<string, CurrentObject>> {
  const { refersTo = [], list } = kinds[section]
  const listed = await list(tenant, Object.fromEntries(refersTo.map((name) => [name, before[name]])), dependencies)
  const isKeyed = listed.length > 0 && (keyedSections as readonly string[]).includes(section)
  const keys = isKeyed ? keysOf(listed, await findStoredKeys(tenant, section as KeyedSection)) : undefined
  return new Map(
    listed.map(({ name: _, key, stays = false, ...object }) => [keys?.get(object.id) ?? key ?? object.id, { ...object, stays }]),
  )
}

/**
 * The document of an organisation's current state. A plan with it changes nothing.
 *
 * @param shown the sections that it has
 */
export const documentOf = (organisation: string, { settings, ...present }: Current, shown: readonly Section[] = sections) => ({
  organisation,
  settings,
  ...Object.fromEntries(shown.map((section) => [section, section === 'apiKeys' ? keysIn(present[section]) : objectsIn(present[section])])),
})

const keysIn = (objects: ReadonlyMap<string, CurrentObject>) => [...objects.keys()].sort()

/** Without secrets, and without what documents do not make. */
const objectsIn = (objects: ReadonlyMap<string, CurrentObject>) =>
  Object.fromEntries(
    keysIn(objects).flatMap((key) => {
      const { fields, isManagedElsewhere } = objects.get(key) as CurrentObject
      const { secret: _, ...shown }: Fields = fields
      return isManagedElsewhere ? [] : [[key, shown]]
    }),
  )
