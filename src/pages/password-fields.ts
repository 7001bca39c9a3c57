import { passwordPolicyOf, type StoredPolicy } from '../organisations/rules.ts'
import { password } from '../platform/http/fields.ts'
import { type Html, html } from '../platform/http/html.ts'
import type { Field } from './fields.ts'
import type { View } from './view.ts'

/** A new password as a page accepts it: the organisation's policy reports all mistakes at once. */
export const chosenPassword = password

export const newPasswordField = (view: View, label: string, policy: StoredPolicy, name = 'password'): Field => ({
  name,
  label,
  type: 'password',
  autocomplete: 'new-password',
  hint: requirementsOf(view, policy, name),
})

/** A requirement that the account's script ticks while the user types. */
interface Requirement {
  /** The length, or the kind of character. */
  rule: string
  text: string
}

function requirementsOf({ texts }: View, stored: StoredPolicy, field: string): Html {
  const policy = passwordPolicyOf(stored)
  const { reset } = texts
  const others: (Requirement | false)[] = [
    policy.requireUppercase && { rule: 'uppercase', text: reset.uppercase },
    policy.requireLowercase && { rule: 'lowercase', text: reset.lowercase },
    policy.requireNumbers && { rule: 'number', text: reset.number },
    policy.requireSymbols && { rule: 'symbol', text: reset.symbol },
  ]
  const requirements = others.filter((requirement) => requirement !== false)
  const length = String(policy.minLength)
  const met = html`<span class="unseen" hidden> ${reset.met}</span>`
  if (requirements.length === 0) {
    return html`<span class="hint" data-rules-of="${field}"><span data-rule="${length}">${texts.tooShort(policy.minLength)}${met}</span></span>`
  }
  return html`
    <span class="hint">${reset.policyTitle}</span>
    <ul class="requirements" data-rules-of="${field}">
      ${[{ rule: length, text: reset.minLength(policy.minLength) }, ...requirements].map(
        ({ rule, text }) => html`<li data-rule="${rule}">${text}${met}</li>`,
      )}
    </ul>`
}
