import { handOver } from '../base/hand-over.ts'
import { createStore } from '../base/store.ts'
import { early, type Profile } from './early.ts'

const channel = new BroadcastChannel('gatehouse-console')

const waiting = createStore<Promise<void> | undefined>(undefined)
let resume: (() => void) | undefined

/** The session as seen from this tab: whether it has ended, and messages of other tabs about it. */
export const session = {
  hasEnded: () => waiting.get() !== undefined,
  subscribe: waiting.subscribe,
  /** Resolves after the user has signed in again, in another window. */
  whenSignedInAgain(): Promise<void> {
    const pending =
      waiting.get() ??
      new Promise<void>((resolve) => {
        resume = resolve
      })
    waiting.set(pending)
    return pending
  },
  /** Called by the page to which a sign-in in another window returns. A different user gets a page of their own. */
  async signedInAgain(userId: string): Promise<void> {
    if ((await early).profile?.id !== userId) return handOver()
    resume?.()
    waiting.set(undefined)
  },
  tellSignedIn: ({ id }: Pick<Profile, 'id'>) => channel.postMessage({ signedIn: id }),
  tellSignedOut: () => channel.postMessage('signed-out'),
}

channel.addEventListener('message', ({ data }: MessageEvent<'signed-out' | { signedIn: string }>) => {
  if (data === 'signed-out') location.assign('/login?returnTo=%2Fconsole')
  else void session.signedInAgain(data.signedIn)
})
