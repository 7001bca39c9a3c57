import { passwordPolicyOf, type StoredPolicy } from '../organisations/rules.ts'
import { password } from '../platform/http/fields.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { Field } from './fields.ts'
import type { View } from './view.ts'

/** A new password as a page takes it: the organisation's policy says all that it lacks at once. */
export const chosenPassword = password

/** The field of a new password, with what the organisation asks of it. */
export const newPasswordField = (view: View, label: string, policy: StoredPolicy, name = 'password'): Field => ({
  name,
  label,
  type: 'password',
  autocomplete: 'new-password',
  hint: requirementsOf(view, policy),
})

function requirementsOf({ texts }: View, stored: StoredPolicy): Html | string {
  const policy = passwordPolicyOf(stored)
  const { reset } = texts
  const requirements = [
    reset.minLength(policy.minLength),
    policy.requireUppercase && reset.uppercase,
    policy.requireLowercase && reset.lowercase,
    policy.requireNumbers && reset.number,
    policy.requireSymbols && reset.symbol,
  ].filter((requirement) => requirement !== false)
  if (requirements.length === 1) return texts.tooShort(policy.minLength)
  return html`
    <span class="hint">${reset.policyTitle}</span>
    <ul class="requirements">${requirements.map((requirement) => html`<li>${requirement}</li>`)}</ul>`
}
