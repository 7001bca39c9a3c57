import { createStore } from '../base/store.ts'

/** One call of the API as the API drawer shows it. */
export interface RecordedCall {
  readonly number: number
  readonly method: string
  /** The path with the query. */
  readonly path: string
  readonly requestBody: unknown
  readonly status: number
  readonly milliseconds: number
  readonly requestId: string | undefined
  readonly responseBody: unknown
}

const kept = 50
const masked = '••••••'
const secretFields = /^(password|currentPassword|newPassword|secret|clientSecret|key|token|signingSecret|link)$/i
/** In a request, `code` is that of a second factor; in a response, that of a refusal. */
const secretFieldsOfRequests = new RegExp(`${secretFields.source}|^code$`, 'i')

const calls = createStore<readonly RecordedCall[]>([])
let count = 0

/** The last calls since the page was loaded, in memory only and without secrets. */
export const recorder = {
  subscribe: calls.subscribe,
  calls: calls.get,
  record(call: Omit<RecordedCall, 'number' | 'requestBody' | 'responseBody'> & { requestBody: unknown; responseBody: unknown }) {
    const entry = {
      ...call,
      number: ++count,
      requestBody: withoutSecrets(call.requestBody, secretFieldsOfRequests),
      responseBody: withoutSecrets(call.responseBody, secretFields),
    }
    calls.set([...calls.get().slice(1 - kept), entry])
  },
}

/** Returns the same value with each secret replaced. */
function withoutSecrets(value: unknown, secrets: RegExp): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, secrets))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'string' && secrets.test(name) ? masked : withoutSecrets(field, secrets),
    ]),
  )
}
