import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { onServer, urlOf } from './database-server.ts'

export interface OrdinaryRole {
  /** Of a database that it owns. */
  url: string
  role: string
  remove(): Promise<void>
  takeDatabase(): Promise<void>
}

/** A role that may only log in, own its database and assume the two roles of the service. */
export async function ordinaryRole(): Promise<OrdinaryRole> {
  const database = inject('database')
  if (database.kind !== 'postgres') throw new Error('This run is about PGlite')
  const { serverUrl } = database
  const role = `ordinary_${randomBytes(6).toString('hex')}`
  // The run drops databases with this prefix at its end, in case a test fails to.
  const name = `${database.run}_${role}`
  // As described in docs/operations.md.
  const [version] = await onServer(serverUrl, 'show server_version_num')
  const [attribute, option] = Number(version?.server_version_num) >= 160_000 ? ['', 'with inherit false'] : ['noinherit', '']
  await onServer(serverUrl, `create role ${role} login password 'ordinary' ${attribute} nosuperuser nocreaterole nocreatedb nobypassrls`)
  await onServer(serverUrl, `grant gatehouse_tenant, gatehouse_system to ${role} ${option}`)
  await onServer(serverUrl, `create database ${name} owner ${role}`)
  if (attribute) await onServer(urlOf(serverUrl, name), `grant usage, create on schema public to ${role}`)
  const url = new URL(urlOf(serverUrl, name))
  url.username = role
  url.password = 'ordinary'
  return {
    url: url.href,
    role,
    takeDatabase: async () => {
      await onServer(serverUrl, `alter database ${name} owner to current_user`)
      await onServer(urlOf(serverUrl, name), `revoke create on schema public from ${role}`)
    },
    async remove() {
      await onServer(serverUrl, `drop database ${name} with (force)`)
      await onServer(serverUrl, `drop role ${role}`)
    },
  }
}
