import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { PageRequest } from '../access/caller.ts'
import { page } from '../access/declarations.ts'
import { Problem, problems } from '../platform/http/problem.ts'
import type { App } from '../platform/http/server.ts'
import { parseInput } from '../platform/http/validation.ts'
import { emptyForm, type FormState } from './form-state.ts'
import { isOurForm } from './form-token.ts'
import { type Page, sendPage } from './layout.ts'
import { messagesOf } from './messages.ts'
import { formOf, type PageDependencies, type View } from './view.ts'

/** The route options of every page. */
export const pageRoute = { config: { access: page() }, schema: { hide: true } }

/** One request for a page, with what the page needs to show itself. */
export interface Visit {
  request: PageRequest
  reply: FastifyReply
  view: View
}

interface FormDefinition<V extends Visit, Input, Result> {
  path: string
  /** The longest form in bytes, where that is not the usual one. */
  bodyLimit?: number
  /** Finds the data that the page needs; undefined when it has sent a response itself, since another step has to come first. */
  visit(request: PageRequest, reply: FastifyReply): Promise<V | undefined>
  show(visit: V, form: FormState): Page | Promise<Page>
  input: z.ZodType<Input>
  /** Carries out the form. @throws Problem to refuse: the page is shown again with the reason */
  operation(visit: V, input: Input): Promise<Result>
  /** Sends the response when the operation has succeeded. */
  done(visit: V, result: Result): FastifyReply | Promise<FastifyReply>
  /** Sends the response to a refusal that makes the form useless; undefined to show the form again. */
  refused?(visit: V, form: FormState): FastifyReply | undefined
}

/** A page with a form, which GET shows and POST takes. */
export function definePage<V extends Visit, Input, Result>(
  app: App,
  dependencies: PageDependencies,
  definition: FormDefinition<V, Input, Result> & { values?(visit: V): Record<string, string> },
): void {
  const { path, show, values } = definition
  app.get(path, pageRoute, async (request, reply) => {
    const visit = await definition.visit(request, reply)
    return visit ? sendPage(reply, visit.view, await show(visit, emptyForm(values?.(visit)))) : reply
  })
  defineForm(app, dependencies, definition)
}

/** A form that is part of another page; `show` shows that page again when the form is refused. */
export function defineForm<V extends Visit, Input, Result>(
  app: App,
  dependencies: PageDependencies,
  { path, bodyLimit, show, input, operation, done, refused, ...definition }: FormDefinition<V, Input, Result>,
): void {
  app.post(path, { ...pageRoute, ...(bodyLimit !== undefined && { bodyLimit }) }, async (request, reply) => {
    const visit = await definition.visit(request, reply)
    if (!visit) return reply
    const submission = await submit(dependencies, visit, input, (parsed) => operation(visit, parsed))
    if (submission.done) return done(visit, submission.result)
    return refused?.(visit, submission.form) ?? sendPage(reply, visit.view, await show(visit, submission.form))
  })
}

type Submission<T> = { done: true; result: T } | { done: false; form: FormState }

/** Carries out a form. A refusal becomes the state in which the form is shown again. */
async function submit<Input, T>(
  dependencies: PageDependencies,
  { request, reply, view }: Visit,
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
    const messages = messagesOf(view.texts, error, values)
    return { done: false, form: { status: problems[error.slug].status, values, messages, refusal: error } }
  }
}
