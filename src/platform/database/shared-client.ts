import type pg from 'pg'

type Lend = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>

interface Sharing {
  client: Promise<pg.PoolClient>
  users: number
  giveBack(): void
}

/**
 * Lends one client to all who ask while it is out; the last gives it back. Their statements follow each other without
 * waiting, which a pipelining connection answers in order: what each of them would cost on a connection of its own, the
 * sending and the waking up, they share.
 */
export function shareClient(lend: Lend): Lend {
  let sharing: Sharing | undefined

  function begin(): Sharing {
    const over = Promise.withResolvers<void>()
    const lent = Promise.withResolvers<pg.PoolClient>()
    const begun = { client: lent.promise, users: 0, giveBack: over.resolve }
    const end = () => {
      if (sharing === begun) sharing = undefined
    }
    lend(async (client) => {
      // Who comes after it broke gets another one.
      client.once('error', end)
      lent.resolve(client)
      await over.promise
      client.off('error', end)
    }).catch((error) => {
      end()
      lent.reject(error)
    })
    return begun
  }

  return async (work) => {
    sharing ??= begin()
    const mine = sharing
    mine.users++
    try {
      return await work(await mine.client)
    } finally {
      mine.users--
      if (mine.users === 0) {
        if (sharing === mine) sharing = undefined
        mine.giveBack()
      }
    }
  }
}
