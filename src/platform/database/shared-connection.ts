import type pg from 'pg'

type WithConnection = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>

interface Shared {
  client: Promise<pg.PoolClient>
  users: number
  release(): void
}

/**
 * One connection for all work that arrives while it is in use. The last to finish releases it. The connection pipelines the
 * statements and responds in order, so they share the sending and the waking up, which cost more than each statement.
 */
export function shareConnection(withConnection: WithConnection): WithConnection {
  let current: Shared | undefined

  function open(): Shared {
    const released = Promise.withResolvers<void>()
    const connected = Promise.withResolvers<pg.PoolClient>()
    const shared = { client: connected.promise, users: 0, release: released.resolve }
    const end = () => {
      if (current === shared) current = undefined
    }
    withConnection(async (client) => {
      // Work that arrives after the connection broke gets another one.
      client.once('error', end)
      connected.resolve(client)
      await released.promise
      client.off('error', end)
    }).catch((error) => {
      end()
      connected.reject(error)
    })
    return shared
  }

  return async (work) => {
    current ??= open()
    const shared = current
    shared.users++
    try {
      return await work(await shared.client)
    } finally {
      shared.users--
      if (shared.users === 0) {
        if (current === shared) current = undefined
        shared.release()
      }
    }
  }
}
