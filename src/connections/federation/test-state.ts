import { newSecret } from '../../platform/crypto/secrets.ts'

/**
 * The state of a test. Its suffix tells a callback that it is a test, and whether a user or the visitor of a set-up link asked for it, without a
 * query. It is also the token of its page.
 */
export const testState = (isOfSetup: boolean): string => `${newSecret()}${isOfSetup ? setupSuffix : suffix}`

const suffix = '.test'
const setupSuffix = `.setup${suffix}`

export const isTestOfSetup = (state: string): boolean => state.endsWith(setupSuffix)

export const isTestState = (state: string | null): state is string => state?.endsWith(suffix) === true

export const testPath = (state: string): string => `/federation/test/${state}`
