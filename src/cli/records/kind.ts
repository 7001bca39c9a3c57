import type { Told } from '../output.ts'
import type { Api } from './open-api.ts'
import type { OperationId } from './operation.ts'

export type ApiRecord = Readonly<Record<string, unknown>>

/** A kind of record of the API and its commands. Everything about a command follows from this and the description of the API. */
export interface RecordKind {
  /** The first word of its commands, such as `role`. */
  word: string
  /** What its group of commands is about; undefined if its commands are in another group. */
  group?: string
  /** The plural, for an empty list. */
  plural: string
  /** The fields other than the id that identify a record; the first is shown. */
  names: readonly [string, ...string[]]
  /** The list in which a name is looked up. */
  list: OperationId
  /** Absent if only the list shows a record. */
  get?: OperationId
  /** Whether it belongs to the whole installation: then it needs the system API and, over the network, the key of that. */
  isOfInstallation?: boolean
  /** Whether the name alone determines the organisation. */
  namesOrganisation?: boolean
  /** Whether the record is the organisation itself. */
  isOrganisation?: boolean
  commands: readonly RecordCommand[]
}

export type RecordCommand = ListCommand | ShowCommand | AskCommand | ChangeCommand

/** Whether it concerns one existing record, which is the argument. */
export const isOfOne = (one: RecordCommand): boolean => (one.does === 'list' ? one.isOfOne === true : !(one.does === 'change' && one.isNew))

interface CommandText {
  verb: string
  summary: string
  examples: readonly [string, ...string[]]
}

export interface ListCommand extends CommandText {
  does: 'list'
  operation: OperationId
  /** The operation over the network, where an API key may ask for the administration of one organisation only. */
  remotely?: OperationId
  columns: readonly [string, ...string[]]
  /** Whether it lists what belongs to one record, which is the argument. */
  isOfOne?: boolean
  /** The number of records that are shown without `--limit`; all if absent. */
  limit?: number
  /** Whether it can wait for new entries. */
  follows?: boolean
}

export interface ShowCommand extends CommandText {
  does: 'show'
}

/** Asks something of one record, and changes nothing of it: the response is printed as it is. */
export interface AskCommand extends CommandText {
  does: 'ask'
  operation: OperationId
}

export interface ChangeCommand extends CommandText {
  does: 'change'
  operation: OperationId
  /** Whether it makes a new record. Otherwise it concerns an existing one, which is the argument. */
  isNew?: true
  /** The filters with which the record is looked up, when it is not in the ordinary list. */
  within?: Readonly<Record<string, string>>
  /** A second argument: the field that it is sent as, and the kind that it names. */
  other?: { field: string; kind: KindWord }
  /** A second argument: which part of the record it concerns, of those that the record lists. */
  part?: RecordPart
  /** Fields that have commands of their own. */
  without?: readonly string[]
  /** The field of the response that is shown only once. */
  secret?: string
  tell(label: string, other: string, service: Pick<Api, 'mailsLeave'>): Told
  /** Present if the change is irreversible: the consequences. */
  confirms?: Confirmation
}

/** Parts of a record that the API knows below it, such as the tokens of a directory. */
export interface RecordPart {
  word: string
  /** The field of the record that lists them. */
  field: string
  /** The field other than the id that identifies one. */
  name: string
  /** The parameter of the path. */
  parameter: string
}

export interface Confirmation {
  /** The operation that tells the consequences. */
  impact?: { operation: OperationId; body?: object }
  /** Sentences without their full stops. */
  consequences(record: ApiRecord, label: string, impact: ApiRecord): readonly string[]
}

export type KindWord =
  | 'user'
  | 'client'
  | 'role'
  | 'permission'
  | 'team'
  | 'connection'
  | 'directory'
  | 'registration-token'
  | 'resource-server'
  | 'resource-authorization-server'
  | 'setup-link'
  | 'invitation'
  | 'api-key'
  | 'domain'
  | 'audit'
  | 'organisation'

/** Fields that take the name of a record: its kind, and whether the API expects its slug instead of its id. */
export const references: Readonly<Record<string, { kind: KindWord; sends: 'id' | 'slug' }>> = {
  roleId: { kind: 'role', sends: 'id' },
  roleIds: { kind: 'role', sends: 'slug' },
  teamId: { kind: 'team', sends: 'id' },
  teamIds: { kind: 'team', sends: 'slug' },
  permissionIds: { kind: 'permission', sends: 'slug' },
  permissions: { kind: 'permission', sends: 'slug' },
  permission: { kind: 'permission', sends: 'slug' },
  userId: { kind: 'user', sends: 'id' },
  bypassUserIds: { kind: 'user', sends: 'id' },
  clientId: { kind: 'client', sends: 'id' },
  connectionId: { kind: 'connection', sends: 'id' },
  resourceServerIds: { kind: 'resource-server', sends: 'id' },
  introspectionClientIds: { kind: 'client', sends: 'id' },
  audienceClientId: { kind: 'client', sends: 'id' },
  exchangeClientIds: { kind: 'client', sends: 'id' },
}
