import { secrets } from 'virtual:secrets'
import { masked } from './masked.ts'
import { operationOf } from './operations.ts'
import type { RecordedCall } from './recorded-call.ts'

/** Replaces what the API description marks as secret. Of a call that it does not have, nothing of the bodies stays. */
export function withoutSecrets<Call extends Pick<RecordedCall, 'method' | 'path' | 'requestBody' | 'responseBody'>>(call: Call): Call {
  const operation = operationOf(call.method, call.path)
  if (!operation) return { ...call, requestBody: undefined, responseBody: undefined }
  const { sent, received } = secrets[operation] ?? {}
  return { ...call, requestBody: masked(call.requestBody, sent), responseBody: masked(call.responseBody, received) }
}
