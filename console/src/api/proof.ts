/** A call that the API refuses until the user has proven again who they are. */
export interface AskedProof {
  /** The accepted proofs: `password`, `code`, `passkey`. */
  methods: readonly string[]
  /** Releases the pending calls: they are repeated, or remain refused. */
  settle: (isProven: boolean) => void
}

let asked: AskedProof | undefined
let waiting: Promise<boolean> | undefined
const listeners = new Set<() => void>()

function change(next: AskedProof | undefined) {
  asked = next
  for (const listener of listeners) listener()
}

/** The pending proof of the user's identity. Calls that are refused meanwhile wait for the same proof. */
export const proof = {
  asked: () => asked,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Resolves to whether the user has proven it. */
  ask(methods: readonly string[]): Promise<boolean> {
    waiting ??= new Promise<boolean>((resolve) => change({ methods, settle: resolve })).finally(() => {
      waiting = undefined
      change(undefined)
    })
    return waiting
  },
}
