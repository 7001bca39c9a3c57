/** A call that the API refuses until the person has proven again who they are. */
export interface AskedProof {
  /** What is taken as proof: `password`, `code`, `passkey`. */
  methods: readonly string[]
  /** Ends the wait of the calls: they are repeated, or stay refused. */
  settle: (isProven: boolean) => void
}

let asked: AskedProof | undefined
let waiting: Promise<boolean> | undefined
const listeners = new Set<() => void>()

function change(next: AskedProof | undefined) {
  asked = next
  for (const listener of listeners) listener()
}

/** What waits for the person to prove that it is still them. Calls that are refused meanwhile wait for the same proof. */
export const proof = {
  asked: () => asked,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Resolves to whether it was proven. */
  ask(methods: readonly string[]): Promise<boolean> {
    waiting ??= new Promise<boolean>((resolve) => change({ methods, settle: resolve })).finally(() => {
      waiting = undefined
      change(undefined)
    })
    return waiting
  },
}
