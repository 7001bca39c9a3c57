import { createStore } from '../base/store.ts'

/** A call that the API refuses until the user has proven again who they are. */
export interface AskedProof {
  /** The accepted proofs: `password`, `code`, `passkey`. */
  methods: readonly string[]
  /** Releases the pending calls: they are repeated, or remain refused. */
  settle: (isProven: boolean) => void
}

const asked = createStore<AskedProof | undefined>(undefined)
let waiting: Promise<boolean> | undefined

/** The pending proof of the user's identity. Calls that are refused meanwhile wait for the same proof. */
export const proof = {
  asked: asked.get,
  subscribe: asked.subscribe,
  /** Resolves to whether the user has proven it. */
  ask(methods: readonly string[]): Promise<boolean> {
    waiting ??= new Promise<boolean>((resolve) => asked.set({ methods, settle: resolve })).finally(() => {
      waiting = undefined
      asked.set(undefined)
    })
    return waiting
  },
}
