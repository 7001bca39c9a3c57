import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Html, html } from '../platform/http/html.ts'
import { Problem, problems } from '../platform/http/problem.ts'
import { parseInput } from '../platform/http/validation.ts'
import type { Language } from '../platform/language.ts'
import { isOurForm } from './form-token.ts'
import { catalogues } from './language.ts'
import { type FormMessage, messagesOf } from './messages.ts'
import { formOf, type PageDependencies, type View } from './view.ts'

/** A form as it is shown: empty, or with what was sent and what is wrong with it. */
export interface FormState {
  status: number
  values: Readonly<Record<string, string>>
  messages: readonly FormMessage[]
}

export const emptyForm = (values: Record<string, string> = {}): FormState => ({ status: 200, values, messages: [] })

type Submission<T> = { done: true; result: T } | { done: false; form: FormState }

/**
 * Does what a form is for. Whatever is refused comes back as the state in which the form is shown again.
 *
 * @param operation throws a Problem to refuse
 */
export async function submit<Input, T>(
  dependencies: PageDependencies,
  { request, reply, view }: { request: FastifyRequest; reply: FastifyReply; view: View },
  schema: z.ZodType<Input>,
  operation: (input: Input) => Promise<T>,
): Promise<Submission<T>> {
  const values = formOf(request)
  if (!isOurForm(dependencies, request, values.formToken)) {
    return { done: false, form: { status: 403, values, messages: [{ text: view.texts.formExpired }] } }
  }
  try {
    return { done: true, result: await operation(parseInput(schema, values)) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    reply.headers(error.headers)
    return { done: false, form: { status: problems[error.slug].status, values, messages: messagesOf(view.texts, error, values) } }
  }
}

/** A form that posts to a path of ours. */
export function formTo(view: View, action: string, content: Html): Html {
  return html`<form method="post" action="${action}" novalidate><input type="hidden" name="formToken" value="${view.formToken}">${content}</form>`
}

/** What is wrong, with a link to each field that has to be corrected; it takes the focus. */
export function errorSummary(view: View, { messages }: FormState): Html | undefined {
  if (messages.length === 0) return undefined
  const items = messages.map(({ field, text }) =>
    field === undefined ? html`<p>${text}</p>` : html`<p><a href="#${field}">${labelled(view, field, text)}</a></p>`,
  )
  return html`<div class="notice problem" role="alert" tabindex="-1" autofocus><h2>${view.texts.summary}</h2>${items}</div>`
}

/** Alone, "Fill in this field" does not say which. */
function labelled({ texts }: View, field: string, text: string): string {
  const labels: Record<string, string> = {
    email: texts.email,
    password: texts.password,
    firstName: texts.firstName,
    lastName: texts.lastName,
    code: texts.code,
    currentPassword: texts.account.currentPassword,
    newPassword: texts.newPassword,
    phone: texts.enrolment.phone,
  }
  const general = [texts.required, texts.tooLong, texts.invalid, texts.invalidCharacters]
  return general.includes(text) && Object.hasOwn(labels, field) ? `${labels[field]}: ${text}` : text
}

export interface Field {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'tel'
  autocomplete: string
  inputmode?: 'numeric' | 'email'
  hint?: Html | string | undefined
  /** Stands beside the label. */
  beside?: Html | undefined
  className?: string
  /** Whether it may stay empty. */
  optional?: boolean
  /** Whether typing begins here. */
  first?: boolean
}

/** A labelled field with its mistakes. What was typed is kept, unless it is a password. */
export function fieldOf(form: FormState, field: Field): Html {
  const { name, label, type = 'text', hint } = field
  const mistakes = form.messages.filter((message) => message.field === name)
  const described = [hint && `${name}-hint`, mistakes.length > 0 && `${name}-error`].filter(Boolean).join(' ')
  const value = type === 'password' || name === 'code' ? '' : (form.values[name] ?? '')
  const attributes = [
    value !== '' && html` value="${value}"`,
    field.inputmode && html` inputmode="${field.inputmode}"`,
    field.className && html` class="${field.className}"`,
    described !== '' && html` aria-describedby="${described}"`,
    mistakes.length > 0 && html` aria-invalid="true"`,
    (type === 'email' || name === 'code') && html` autocapitalize="none" spellcheck="false"`,
    // The summary of mistakes comes first if there is one.
    field.first && form.messages.length === 0 && html` autofocus`,
  ]
  return html`<div class="field"><div class="label-row"><label for="${name}">${label}</label>${field.beside}</div>${
    hint &&
    (typeof hint === 'string' ? html`<span class="hint" id="${name}-hint">${hint}</span>` : html`<div id="${name}-hint">${hint}</div>`)
  }${mistakes.length > 0 && html`<span class="error" id="${name}-error">${mistakes.map(({ text }) => html`<span>${text}</span> `)}</span>`}<input id="${name}" name="${name}" type="${type}" autocomplete="${field.autocomplete}"${!field.optional && html` required`}${attributes}></div>`
}

/** An address that stands fixed; password managers store the password under it. */
export function fixedEmail(view: View, email: string): Html {
  return html`<div class="field"><div class="label-row"><label for="email">${view.texts.email}</label></div><input id="email" type="email" autocomplete="username" value="${email}" readonly></div>`
}

export const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}">`
export const button = (label: string) => html`<button class="button" type="submit">${label}</button>`
export const heading = (title: string, lead?: Html | string) => html`<h1>${title}</h1>${lead && html`<p class="lead">${lead}</p>`}`

/**
 * Sends the browser on after a form. Browsers hold `form-action` against every redirect that follows a form, up to what
 * the application redirects to by itself; so where the way may leave this origin, a page that goes on at once breaks the chain.
 */
export function goOn(reply: FastifyReply, language: Language, path: string): FastifyReply {
  if (path.startsWith('/') && !path.startsWith('/oauth2/')) return reply.redirect(path, 303)
  const label = catalogues[language].continue
  const page = html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${path}"><meta name="color-scheme" content="light dark"><title>${label}</title></head><body><main><h1><a href="${path}">${label}</a></h1></main></body></html>`
  return reply.code(200).type('text/html; charset=utf-8').serializer(String).send(String(page))
}
