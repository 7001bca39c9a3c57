import type { Caller } from '../access/caller.ts'
import type { PermissionSlug } from '../access/permission-slugs.ts'
import type { ClientDependencies } from '../clients/create-client.ts'
import type { ConnectionAdministration } from '../connections/create-connection.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { ImpactDependencies } from '../provisioning/impact.ts'
import type { OrganisationSettings } from '../provisioning/update-organisation.ts'
import type { WebhookSettings } from '../webhooks/endpoints/create-endpoint.ts'
import type { Fields, PlannedChange, Present, Section } from './plan.ts'

export type ConfigurationDependencies = ClientDependencies &
  OrganisationSettings &
  ImpactDependencies &
  ConnectionAdministration &
  WebhookSettings

/** What carries out one change of several, in their transaction. */
export interface Step {
  readonly dependencies: ConfigurationDependencies
  readonly caller: Caller
  readonly tenant: Tenant
  /** Of an object that the document names, whether it was there or has been created by an earlier step. */
  idOf(section: Section, key: string): string | undefined
}

/** An object as its section finds it, by the unique name that it has, or without. */
export interface ListedObject {
  readonly id: string
  /** Its unique name; undefined where objects of this kind have none. */
  readonly key?: string
  readonly name: string
  readonly fields: Fields
  readonly stays?: boolean
  /** Whether it is this secret that the object has. */
  holds?(secret: string): boolean
}

/** How one section of a document is read from an organisation and carried out, by the operations of its feature. */
export interface Kind {
  readonly permissions: Readonly<Record<'read' | PlannedChange['action'], PermissionSlug>>
  /** All objects, the oldest first. @param before the sections before this one */
  list(tenant: Tenant, before: Partial<Present>, dependencies: Pick<ConfigurationDependencies, 'keyring'>): Promise<ListedObject[]>
  create(step: Step, key: string, fields: Fields): Promise<{ id: string; secret?: string | null }>
  update(step: Step, id: string, fields: Fields): Promise<unknown>
  remove(step: Step, id: string): Promise<void>
  /** What would follow, in sentences, none where nothing does. */
  effects?(step: Step, id: string, change: PlannedChange, fields: Fields): Promise<string[]>
}
