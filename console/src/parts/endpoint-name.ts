import { refusalsTexts as t } from '../texts/refusals.ts'

export const endpointName = (endpoint: string): string =>
  Object.hasOwn(t.endpoints, endpoint) ? t.endpoints[endpoint as keyof typeof t.endpoints] : endpoint
