import { fieldMistake, fieldRefusal, refusal } from '../platform/http/problem.ts'

export const apiKeyNotFound = refusal('api-key-not-found', 'not-found', 'API key not found')
export const credentialsMissing = fieldMistake('credentials-missing', 'A key without a secret needs credentials')
export const expiryHasPassed = fieldRefusal('expiry-has-passed', ['expiresAt'], 'Must be in the future')
