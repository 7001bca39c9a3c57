/** What a store can find a session by. */
export interface StoredAbout {
  /** The id of the user; undefined for what is no session. */
  subject: string | undefined
  /** The id of the user's session at the issuer. */
  sessionId: string | undefined
  /** From then on the store may forget it. */
  expiresAt: Date
}

/**
 * Where an application stores its sessions, such as a table or Redis; and which sign-ins and logout tokens have been used. Each method may
 * be called by several processes at once. The values of sessions are encrypted, and about 3 kB long.
 */
export interface SessionStore {
  get(id: string): Promise<string | undefined>
  /**
   * Stores a value, if the one that is stored is still `former`; with undefined, if there is none. Comparing and writing is one step.
   *
   * @returns whether it was stored
   */
  replace(id: string, former: string | undefined, value: string, about: StoredAbout): Promise<boolean>
  delete(id: string): Promise<void>
  /** Deletes the sessions with this `sessionId`; without one, all sessions of the subject. */
  deleteOf(ended: { subject: string | undefined; sessionId: string | undefined }): Promise<void>
}

/** A store in the memory of this process: for development, tests, and an application with a single process. */
export function memoryStore({ clock = Date.now }: { clock?: () => number } = {}): SessionStore {
  const values = new Map<string, { value: string; about: StoredAbout }>()
  const find = (id: string) => {
    const found = values.get(id)
    if (found && found.about.expiresAt.getTime() <= clock()) values.delete(id)
    return values.get(id)?.value
  }
  return {
    get: async (id) => find(id),
    async replace(id, former, value, about) {
      if (find(id) !== former) return false
      if (former === undefined) for (const other of values.keys()) find(other)
      values.set(id, { value, about })
      return true
    },
    delete: async (id) => void values.delete(id),
    async deleteOf({ subject, sessionId }) {
      for (const [id, { about }] of values)
        if (sessionId === undefined ? about.subject === subject : about.sessionId === sessionId) values.delete(id)
    },
  }
}
