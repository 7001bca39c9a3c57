import { createStore } from '../base/store.ts'
import type { RecordedCall } from './recorded-call.ts'

type Call = Omit<RecordedCall, 'number'>

const kept = 50

const calls = createStore<readonly RecordedCall[]>([])
let count = 0

/** The last calls since the page was loaded, in memory only and without secrets. */
export const recorder = {
  subscribe: calls.subscribe,
  calls: calls.get,
  async record(call: Call) {
    const entry = { ...(await withoutSecrets(call)), number: ++count }
    calls.set([...calls.get().slice(1 - kept), entry])
  },
}

/** A read has no secrets, so that the first page needs nothing that masks them. Without it, bodies are left out. */
async function withoutSecrets(call: Call): Promise<Call> {
  if (call.method === 'GET') return call
  try {
    return (await import('./secrets.ts')).withoutSecrets(call)
  } catch {
    return { ...call, requestBody: undefined, responseBody: undefined }
  }
}
