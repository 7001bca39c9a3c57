import { type PassedOver, passedOver, passedOverInWords } from '../../../shared/servers-passed-over/texts.ts'
import { whyUnusable } from '../system-errors.ts'

/** What one of several servers says of itself. */
export interface ServerState {
  takesWrites: boolean
  isReplica: boolean
  /** When this run of the server began: the same by all addresses that lead to it. */
  startedAt: string
  /** The identifier of the system, which a server and its replicas share. */
  system: string
  /** Its time line, which rises with every promotion; null for a replica. */
  timeline: number | null
}

export interface Asked {
  /** The name of the server. */
  server: string
  /** Its state, or why it did not say. */
  state: ServerState | Error
}

/** What is known of the server that was last written to. */
export type KnownPrimary = Pick<ServerState, 'startedAt' | 'system' | 'timeline'>

export interface Choice {
  /** The server to write to, of those that were asked. */
  chosen: { server: string; state: ServerState } | undefined
  /** Why each of the others is not written to: in English, and by a code. */
  reasons: { server: string; reason: string; why: PassedOver }[]
}

/**
 * Chooses the server to write to: of those that take writes, the one on the newest time line. A server on an older one is a former
 * primary that does not know it. Without a choice the service stands still, which loses nothing: so it is for two servers that were
 * promoted beside each other, unless one of them is known, and for servers that are not of one system.
 */
export function choosePrimary(asked: readonly Asked[], known?: KnownPrimary): Choice {
  const said = asked.flatMap(({ server, state }) => (state instanceof Error ? [] : [{ server, state }]))
  const system = known?.system ?? said[0]?.state.system
  const isOneSystem = said.every(({ state }) => state.system === system)
  const writable = said.filter(({ state }) => state.takesWrites && state.system === system)
  const newest = Math.max(known?.timeline ?? 0, ...writable.map(({ state }) => state.timeline ?? 0))
  const onNewest = writable.filter(({ state }) => (state.timeline ?? 0) === newest)
  const runs = new Set(onNewest.map(({ state }) => state.startedAt))
  const ofKnown = onNewest.find(({ state }) => state.startedAt === known?.startedAt)
  const chosen = ofKnown ?? (runs.size === 1 && (known || isOneSystem) ? onNewest[0] : undefined)

  const whyNot = ({ server, state }: Asked): PassedOver => {
    if (state instanceof Error) return { code: 'silent', values: { reason: whyUnusable(state) } }
    if (state.system !== system) {
      const [first] = said
      if (!first || first.server === server) return { code: 'of-another-system-than-before', values: {} }
      return { code: 'of-another-system', values: { server: first.server } }
    }
    if (state.isReplica) return { code: 'replica', values: {} }
    if (!state.takesWrites) return { code: 'read-only', values: {} }
    const timeline = state.timeline ?? 0
    if (timeline < newest) return { code: 'former-primary', values: { timeline, newest } }
    return { code: isOneSystem || known ? 'not-alone' : 'beside-another-system', values: {} }
  }
  const reasons = asked.flatMap((one) => {
    if (one.server === chosen?.server) return []
    const why = whyNot(one)
    return [{ server: one.server, reason: passedOverInWords(passedOver, why), why }]
  })
  return { chosen, reasons }
}
