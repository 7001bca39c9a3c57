import { newSecret } from '../../platform/crypto/secrets.ts'

/** The state of a test says that it is one, so that a callback can tell without asking the database. It is the token of its page, too. */
export const testState = (): string => `${newSecret()}.test`

export const isTestState = (state: string | null): state is string => state?.endsWith('.test') === true

export const testPath = (state: string): string => `/federation/test/${state}`
