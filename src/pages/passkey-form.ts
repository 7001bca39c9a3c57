import { z } from 'zod'
import { rpIdOf } from '../passkeys/options.ts'
import { passkeyNotRecognised } from '../passkeys/refusals.ts'
import { AssertionResponse, type PasskeyProof } from '../passkeys/schemas.ts'
import { type Html, type HtmlValue, html } from '../platform/http/html.ts'
import { Problem } from '../platform/http/problem.ts'
import { parseJson } from '../platform/json-object.ts'
import { hidden, quietButton } from './fields.ts'
import type { FormState } from './form-state.ts'
import { errorSummary, formTo } from './forms.ts'
import { heading, type Page } from './layout.ts'
import type { PageDependencies, View } from './view.ts'

/** The fields that the script posts: `toJSON()` of the credential, as text. */
export const PasskeyFields = z.object({ flowToken: z.string().min(1), credential: z.string().min(1) })
type PasskeyFields = z.infer<typeof PasskeyFields>

/** @throws Problem `unauthorized` for values that no browser sends */
export function proofOf({ flowToken, credential }: PasskeyFields): PasskeyProof {
  return { flowToken, credential: assertionOf(credential) }
}

/** @throws Problem `unauthorized` for values that no browser sends */
export function assertionOf(credential: string): AssertionResponse {
  const parsed = AssertionResponse.safeParse(parseJson(credential))
  if (!parsed.success) throw passkeyNotRecognised()
  return parsed.data
}

interface PasskeyForm {
  /** The path that the form posts to. */
  action: string
  does: 'get' | 'create'
  flowToken?: string
  /** The options for `PublicKeyCredential.parse…OptionsFromJSON()`. */
  options: object
  /** Whether the browser offers passkeys in the field of the e-mail address, too. */
  fillsIn?: boolean
  /** Whether the device is asked as soon as the page loads, since the form before it was for just that. */
  startsAtOnce?: boolean
  /** Whether it is visible without the script. */
  isShown?: boolean
  content?: HtmlValue
  submit: string | Html
}

/** A form whose button asks a device for a passkey. Without scripts it stays hidden. */
export function passkeyForm(view: View, form: PasskeyForm): Html {
  const { action, does, flowToken, options, fillsIn, startsAtOnce, isShown, content, submit } = form
  const { cancelled, alreadyThere, impossible } = view.texts.passkeys
  return formTo(
    view,
    action,
    html`
      ${flowToken !== undefined && hidden('flowToken', flowToken)}
      ${hidden('credential', '')}
      ${content}
      ${typeof submit === 'string' ? quietButton(submit) : submit}
      <p class="aside" role="status" data-cancelled="${cancelled}"${does === 'create' && html` data-known="${alreadyThere}"`} data-impossible="${impossible}"></p>`,
    {
      attributes: html` data-passkey="${does}" data-options="${JSON.stringify(options)}"${fillsIn && html` data-autofill`}${startsAtOnce && html` data-at-once`}${!isShown && html` hidden`}`,
    },
  )
}

/** A form that leads to a page with a passkey form. It stays hidden where no device can be asked. */
export const formBeforePasskey = (view: View, action: string, content: Html): Html =>
  formTo(view, action, content, { attributes: html` data-with-passkeys hidden` })

/** Whether passkeys are possible at the address of this service. */
export const arePasskeysPossible = ({ relyingParty }: Pick<PageDependencies, 'relyingParty'>) => relyingParty.id !== undefined

/** Makes the device forget a passkey that it has just offered when no user here has it (WebAuthn L3 §5.1.10). */
export function forgetUnknown({ relyingParty }: Pick<PageDependencies, 'relyingParty'>, { refusal, values }: FormState): Html | undefined {
  const parsed = AssertionResponse.safeParse(parseJson(values.credential ?? ''))
  if (!parsed.success || refusal?.members.unknownCredential !== true) return undefined
  return signals({ signalUnknownCredential: { rpId: rpIdOf(relyingParty), credentialId: parsed.data.id } })
}

/** The signals that the script sends to the device, by the names of the methods of `PublicKeyCredential`. */
export const signals = (methods: Record<string, object>) => html`<div hidden data-signals="${JSON.stringify(methods)}"></div>`

interface PasskeyPageContent {
  title: string
  lead: string
  notice?: string | false
  /** The form that asks for a passkey, and other actions. */
  forms: Html
}

/** A page that accepts only a passkey. Where passkeys are possible, the script removes the notice about scripts. */
export function passkeyPage(view: View, form: FormState, { title, lead, notice, forms }: PasskeyPageContent): Page {
  return {
    status: form.status,
    title,
    hasErrors: form.messages.length > 0,
    passkeys: true,
    body: html`
      ${heading(title, lead)}
      ${errorSummary(view, form) ?? (notice && html`<div class="notice"><p>${notice}</p></div>`)}
      <div class="notice" data-without-passkeys><p>${view.texts.passkeys.needsScriptToUse}</p></div>
      ${forms}`,
  }
}

/** For `catch`: a page whose options are refused is shown without them. */
export function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}
