import type { Told } from '../output.ts'
import type { OperationId } from './operation.ts'

/** A record as the API sends it. */
export type ApiRecord = Readonly<Record<string, unknown>>

/** A kind of record of the API, with the commands for it. All that a command is follows from this and the description of the API. */
export interface RecordKind {
  /** The first word of its commands, such as `role`. */
  word: string
  /** Several of them, for an empty list. */
  plural: string
  /** The fields that name one, besides its id; the first is shown. */
  names: readonly [string, ...string[]]
  /** The list in which a name is looked up. */
  list: OperationId
  /** Absent where the list alone shows one. */
  get?: OperationId
  /** Whether it is of the whole installation: by the system API, and over the network by its key. */
  isOfInstallation?: boolean
  /** Whether the name alone says which organisation is meant. */
  namesOrganisation?: boolean
  /** Whether it is the organisation itself. */
  isOrganisation?: boolean
  commands: readonly RecordCommand[]
}

export type RecordCommand = ListCommand | ShowCommand | ChangeCommand

interface CommandText {
  verb: string
  summary: string
  examples: readonly [string, ...string[]]
}

export interface ListCommand extends CommandText {
  does: 'list'
  operation: OperationId
  /** Where only the administration of an organisation may be asked: over the network, by an API key. */
  remotely?: OperationId
  /** The fields of its table. */
  columns: readonly [string, ...string[]]
  /** Whether it is a list of what belongs to one record, which is the argument. */
  isOfOne?: boolean
  /** Of the records that are shown unless `--limit` says otherwise; all where it is absent. */
  limit?: number
  /** Whether it can wait for what comes next. */
  follows?: boolean
}

export interface ShowCommand extends CommandText {
  does: 'show'
}

export interface ChangeCommand extends CommandText {
  does: 'change'
  operation: OperationId
  /** Whether it is about one that is there, which is the argument. */
  isOfOne: boolean
  /** Where the record is looked up, when it is not in the ordinary list. */
  within?: Readonly<Record<string, string>>
  /** A second argument, the field that it is sent as, and what it names. */
  other?: { field: string; kind: KindWord }
  /** Fields that have commands of their own. */
  without?: readonly string[]
  /** What the response holds that is not shown again. */
  secret?: string
  tell(label: string, other: string): Told
  /** Given where it cannot be undone: what will happen. */
  confirms?: Confirmation
}

export interface Confirmation {
  /** What would follow, by the API. */
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
  | 'invitation'
  | 'api-key'
  | 'domain'
  | 'audit'
  | 'organisation'

/** Fields that take the name of a record: its kind, and whether the API is told its slug in place of its id. */
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
}
