import { signInDefaults } from './rules.ts'

/**
 * SQL for a setting of the sign-in policy, with its default: `signInPolicyOf` of `organisations/rules.ts`, for rows.
 *
 * @param organisation SQL: the name of the row
 */
export const signInSetting = (organisation: string, setting: 'password' | 'passkeys' | 'emailCode') =>
  `coalesce(${organisation}.sign_in_policy->>'${setting}', '${signInDefaults[setting]}')`
