import { invalidField, Problem } from '../platform/http/problem.ts'

export const webhookNotFound = () => new Problem('not-found', 'Webhook not found')
export const deliveryNotFound = () => new Problem('not-found', 'Delivery not found')
export const clientNotFound = () => new Problem('not-found', 'Client not found')
export const webhookInactive = () => new Problem('conflict', 'Webhook is inactive')
export const destinationNotAllowed = () => invalidField(['url'], 'The address is not allowed')
export const emptyRange = () => invalidField(['to'], 'Must be after from')
