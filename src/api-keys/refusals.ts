import { fieldRefusal, refusal } from '../platform/http/problem.ts'

export const apiKeyNotFound = refusal('api-key-not-found', 'not-found', 'API key not found')
export const expiryHasPassed = fieldRefusal('expiry-has-passed', ['expiresAt'], 'Must be in the future')
