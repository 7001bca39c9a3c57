import { early, type Profile } from './early.ts'

const channel = new BroadcastChannel('gatehouse-console')

let waiting: Promise<void> | undefined
let resume: (() => void) | undefined
const listeners = new Set<() => void>()

/** The session as seen from this tab: whether it has ended, and messages of other tabs about it. */
export const session = {
  hasEnded: () => waiting !== undefined,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Resolves after the user has signed in again, in another window. */
  whenSignedInAgain(): Promise<void> {
    waiting ??= new Promise<void>((resolve) => {
      resume = resolve
    })
    for (const listener of listeners) listener()
    return waiting
  },
  /** Called by the page to which a sign-in in another window returns. A different user gets a page of their own. */
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
