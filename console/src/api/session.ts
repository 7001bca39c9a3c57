import { early, type Profile } from './early.ts'

const channel = new BroadcastChannel('gatehouse-console')

let waiting: Promise<void> | undefined
let resume: (() => void) | undefined
const listeners = new Set<() => void>()

/** The session as seen from this tab: whether it has ended, and what other tabs say of it. */
export const session = {
  hasEnded: () => waiting !== undefined,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Resolves after the person has signed in again, in another window. */
  whenSignedInAgain(): Promise<void> {
    waiting ??= new Promise<void>((resolve) => {
      resume = resolve
    })
    for (const listener of listeners) listener()
    return waiting
  },
  /** Told by the page that a sign-in in a window comes back to. Another person gets a page of their own. */
  async signedInAgain(userId: string): Promise<void> {
    if ((await early).profile?.id !== userId) return location.reload()
    waiting = undefined
    resume?.()
    for (const listener of listeners) listener()
  },
  tellSignedIn: ({ id }: Pick<Profile, 'id'>) => channel.postMessage({ signedIn: id }),
  tellSignedOut: () => channel.postMessage('signed-out'),
}

channel.addEventListener('message', ({ data }: MessageEvent<'signed-out' | { signedIn: string }>) => {
  if (data === 'signed-out') location.assign('/login?returnTo=%2Fconsole')
  else void session.signedInAgain(data.signedIn)
})
