import type { DirectoryMistake } from '../../../shared/directory-mistakes/texts.ts'
import type { Actor } from '../../activity/actor.ts'
import type { Tenant } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/mail/outbox.ts'
import type { Directory } from './directory.ts'

/** What carrying out a request needs besides the request. */
export interface ScimContext {
  /** For a read, single statements do; a write needs a transaction. */
  tenant: Tenant
  directory: Directory
  /** The directory, as the audit log names it. */
  actor: Actor
  outbox: Outbox
  publicUrl: string
  trialMaxUsers: number
}

/** A request of a directory, without its transport. */
export interface ScimRequest {
  method: string
  /** What follows the address of the directory, such as `/Users/usr_01kahm3z9n4v7f2t8q6w5r1y0x`. */
  path: string
  query: ScimQuery
  /** With names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  /** Parsed JSON; undefined without a body. */
  body: unknown
}

/**
 * A path as `ScimRequest` has it. A base URL is often pasted with a slash at its end, to which programs append `/Users`, and some end the
 * address of a list with one: no name of ours is empty, so an empty one is left out. The directory and its token are known by then.
 *
 * @param sent what follows the address of the directory, decoded
 */
export const requestPath = (sent: string): string => `/${sent.split('/').filter(Boolean).join('/')}`

export type ScimQuery = Readonly<Record<string, string | undefined>>

export interface ScimResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: object | undefined
  /** Why it was refused. It is not sent. */
  reason?: DirectoryMistake<string>
}

/** The address of a directory, below which its resources are. */
export const baseUrlOf = ({ publicUrl, directory }: Pick<ScimContext, 'publicUrl' | 'directory'>): string =>
  `${publicUrl}/scim/v2/${directory.id}`

/** Whether a request changes nothing, so that it needs no transaction. A search is a read, whatever its method. */
export const isRead = ({ method, path }: Pick<ScimRequest, 'method' | 'path'>): boolean => method === 'GET' || path.endsWith('/.search')
