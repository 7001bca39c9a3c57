import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '../platform/http/html.ts'
import { type Problem, problems } from '../platform/http/problem.ts'
import { noSuchAddress } from '../platform/http/refusals.ts'
import { toProblem } from '../platform/http/server.ts'
import { heading, type Page, sendPage } from './layout.ts'
import { refusalText } from './messages.ts'
import { landing, type PageDependencies, type View, viewOf } from './view.ts'

/** Sends a browser the page for an error that a handler has thrown. */
export async function sendErrorPage(
  dependencies: PageDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  error: FastifyError,
): Promise<FastifyReply> {
  const problem = toProblem(error)
  if (problem.slug === 'internal-server-error' || problem.slug === 'service-unavailable') {
    request.log.error({ err: problem.cause ?? problem }, problem.detail)
    // Without the database no page can be laid out.
    if (problem.slug === 'service-unavailable') throw problem
  }
  return sendProblemPage(dependencies, request, reply, problem)
}

/** Sends a browser the page for a refusal, or for a defect. */
async function sendProblemPage(
  dependencies: PageDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): Promise<FastifyReply> {
  const view = await viewOf(dependencies, request, reply)
  return sendPage(reply.headers(problem.headers), view, { status: problems[problem.slug].status, ...contentOf(view, problem, request.id) })
}

export const sendNotFoundPage = (dependencies: PageDependencies, request: FastifyRequest, reply: FastifyReply) =>
  sendProblemPage(dependencies, request, reply, noSuchAddress())

function contentOf(view: View, problem: Problem, requestId: string): Pick<Page, 'title' | 'body'> {
  const { texts } = view
  const own = texts.errorPage
  // It leads to the sign-in, the account or the console, depending on the session of this browser.
  const start = html`<p class="next"><a class="button quiet" href="${landing}">${own.home}</a></p>`
  if (problem.slug === 'not-found') return { title: own.notFound, body: html`${heading(own.notFound, own.notFoundLead)}${start}` }
  if (problems[problem.slug].status < 500) {
    return { title: own.refused, body: html`${heading(own.refused, refusalText(texts, problem))}${start}` }
  }
  const lead = problem.slug === 'service-unavailable' ? own.unavailable : own.unexpected
  return { title: own.title, body: html`${heading(own.title, lead)}${details({ [own.reference]: requestId })}` }
}

/** The details that support asks for. */
export const details = (entries: Record<string, Html | string>) =>
  html`<dl class="details">${Object.entries(entries).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
