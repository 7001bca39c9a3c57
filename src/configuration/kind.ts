import type { KindWith } from '../../shared/kinds.ts'
import type { Caller } from '../access/caller.ts'
import type { PermissionSlug } from '../access/permission-slugs.ts'
import type { ClientDependencies } from '../clients/create-client.ts'
import type { ConnectionAdministration, ConnectionChanging, PreparedConfiguration } from '../connections/create-connection.ts'
import type { DirectoryChanging } from '../directories/change-directory.ts'
import type { Tenant } from '../platform/database/database.ts'
import type { ImpactDependencies } from '../provisioning/impact.ts'
import type { OrganisationSettings } from '../provisioning/update-organisation.ts'
import type { ResourceAuthorizationServerAdministration } from '../resource-authorization-servers/change-resource-authorization-server.ts'
import type { ResourceServerAdministration } from '../resource-servers/create-resource-server.ts'
import type { WebhookSettings } from '../webhooks/endpoints/create-endpoint.ts'
import type { Current, Fields, PlannedChange, Section } from './plan.ts'

/** What the changes need in their transaction, which reaches nothing but the data of the organisation. */
type ChangingDependencies = ClientDependencies &
  OrganisationSettings &
  ImpactDependencies &
  ConnectionChanging &
  ResourceServerAdministration &
  ResourceAuthorizationServerAdministration &
  WebhookSettings &
  DirectoryChanging

export type ConfigurationDependencies = ChangingDependencies & ConnectionAdministration

/** The context in which one of several changes is carried out, in their transaction. */
export interface Step {
  readonly dependencies: ChangingDependencies
  readonly caller: Caller
  readonly tenant: Tenant
  /** What {@link Kind.prepare} has made of the change. */
  readonly prepared: PreparedConfiguration | undefined
  /** The id of an object that the document names: an existing one, or one that an earlier step has created. */
  idOf(section: Section, key: string): string | undefined
}

/** An object as its section lists it, with or without a unique name. */
export interface ListedObject {
  readonly id: string
  /** Its unique name; undefined for kinds whose objects have none. */
  readonly key?: string
  readonly name: string
  readonly fields: Fields
  readonly stays?: boolean
  readonly isManagedElsewhere?: boolean
  holds?(secret: string): boolean
}

/** Reads one section of a document from an organisation and carries out its changes, through the operations of its feature. */
export interface Kind {
  readonly name: KindWith<'history'>
  /** The field that is the key of an object; undefined if objects have no unique name, so that their keys are stored. */
  readonly keyField?: string
  readonly permissions: Readonly<Record<'read' | PlannedChange['action'], PermissionSlug>>
  /** The sections whose objects its own refer to. It sees no others. */
  readonly refersTo?: readonly Section[]
  /** All objects, the oldest first. @param before the sections that it refers to */
  list(tenant: Tenant, before: Partial<Current>, dependencies: Pick<ConfigurationDependencies, 'keyring'>): Promise<ListedObject[]>
  /**
   * Does, before the transaction, what a change needs of others or takes long, such as reading the metadata of a provider.
   *
   * @param id undefined for an object that is to be created
   * @param fields those that change
   * @returns undefined where there is nothing to prepare
   */
  prepare?(
    dependencies: ConfigurationDependencies,
    caller: Caller,
    object: { id: string | undefined; key: string },
    fields: Fields,
  ): Promise<PreparedConfiguration | undefined>
  create(step: Step, key: string, fields: Fields): Promise<{ id: string; secret?: string | null }>
  update(step: Step, id: string, fields: Fields): Promise<unknown>
  remove(step: Step, id: string): Promise<void>
  /** The consequences, in sentences; empty without any. */
  effects?(step: Step, id: string, change: PlannedChange, fields: Fields): Promise<string[]>
}
