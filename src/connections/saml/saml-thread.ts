/** The thread that reads and signs XML, one task after another, for `createSamlReader`. Nothing else loads what does. */
import { parentPort } from 'node:worker_threads'
import { type Check, type Claims, type Fault, UpstreamRefusal } from '../upstream/checks.ts'
import { checkLogoutRequest } from './check-logout.ts'
import { checkResponse } from './check-response.ts'
import { readMetadata } from './read-metadata.ts'
import { signMessage, signMetadata } from './sign.ts'

const work = { checkResponse, checkLogoutRequest, readMetadata, signMessage, signMetadata }

export type SamlWork = typeof work

export type SamlTask = { [Kind in keyof SamlWork]: { kind: Kind; input: Parameters<SamlWork[Kind]> } }[keyof SamlWork]

export type SamlOutcome =
  | { kind: 'ready' }
  | { kind: 'done'; output: unknown }
  | { kind: 'refused'; checks: readonly Check[]; fault: Fault; claims: Claims | undefined }
  | { kind: 'failed'; reason: string }

const port = parentPort
if (!port) throw new Error('To be started as a worker thread')
const send = (outcome: SamlOutcome) => port.postMessage(outcome)

port.on('message', ({ kind, input }: SamlTask) => {
  try {
    const carryOut = work[kind] as (...input: unknown[]) => unknown
    send({ kind: 'done', output: carryOut(...input) })
  } catch (error) {
    if (error instanceof UpstreamRefusal) send({ kind: 'refused', checks: error.checks, fault: error.fault, claims: error.claims })
    else send({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
send({ kind: 'ready' })
