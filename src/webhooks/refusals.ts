import { fieldMistake, fieldRefusal, refusal } from '../platform/http/problem.ts'

export const webhookNotFound = refusal('webhook-not-found', 'not-found', 'Webhook not found')
export const deliveryNotFound = refusal('delivery-not-found', 'not-found', 'Delivery not found')
export const clientNotFound = refusal('client-not-found', 'not-found', 'Client not found')
export const tooManyEndpoints = refusal('too-many-webhook-endpoints', 'bad-request', 'Too many webhook endpoints')
export const webhookInactive = refusal('webhook-inactive', 'conflict', 'Webhook is inactive')
export const urlWithCredentials = fieldMistake('url-with-credentials', 'Must not contain a user name or a password')
export const destinationNotAllowed = fieldRefusal('destination-not-allowed', ['url'], (reason: string) => reason)
export const secretOfFormerForm = refusal('webhook-secret-of-former-form', 'conflict', 'rotate the secret first')
