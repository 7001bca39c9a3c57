import { newSecret } from '../../platform/crypto/secrets.ts'

/** The state of a test. Its suffix tells a callback that it is a test, without a query. It is also the token of its page. */
export const testState = (): string => `${newSecret()}.test`

export const isTestState = (state: string | null): state is string => state?.endsWith('.test') === true

export const testPath = (state: string): string => `/federation/test/${state}`
