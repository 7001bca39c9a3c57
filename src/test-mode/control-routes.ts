/** /_test: what a test does with the service, besides what its own API does. */
import { z } from 'zod'
import { publicAccess } from '../access/declarations.ts'
import type { App } from '../platform/http/app.ts'
import { invalidInput, Problem } from '../platform/http/problem.ts'
import { yearOutOfRange } from '../platform/http/refusals.ts'
import type { Controls } from './controls.ts'
import type { MovableClock } from './movable-clock.ts'
import { recordRoutes, snapshotRoutes } from './record-routes.ts'
import * as schemas from './schemas.ts'

const config = { access: publicAccess() }
const nothing = { 204: z.null() }

export function controlRoutes(app: App, controls: Controls): void {
  const { clock, mails, texts, receiver, faults, bends } = controls

  app.get(
    '/',
    { config, schema: { operationId: 'getState', summary: 'State of the test mode', response: { 200: schemas.State } } },
    async () => ({
      mode: 'test' as const,
      url: controls.running.services.publicUrl,
      systemApiKey: controls.systemApiKey,
      now: clock.now().toISOString(),
      organisations: controls.seeded,
    }),
  )

  app.post(
    '/settled',
    { config, schema: { operationId: 'settle', summary: 'Wait for everything that is under way', response: nothing } },
    async (_, reply) => {
      await controls.settle()
      return reply.code(204).send(null)
    },
  )

  clockRoutes(app, controls)

  app.get(
    '/mails',
    { config, schema: { operationId: 'listMails', summary: 'List the mails that were sent', response: { 200: schemas.Mails } } },
    async () => {
      await controls.settle()
      return { data: mails.all(() => true) }
    },
  )
  app.post(
    '/mails/next',
    {
      config,
      schema: {
        operationId: 'takeMail',
        summary: 'Take the next mail',
        description: 'Each mail is taken once.',
        body: schemas.AskedMail,
        response: { 200: schemas.Mail },
      },
    },
    async ({ body: { to, subject = '', timeoutMilliseconds } }) =>
      controls.next(mails, (mail) => mail.to === (to ?? mail.to) && mail.subject.includes(subject), timeoutMilliseconds),
  )
  app.post(
    '/mails/fail',
    { config, schema: { operationId: 'failMails', summary: 'Refuse the next mails', body: schemas.AskedFailures, response: nothing } },
    async ({ body }, reply) => {
      mails.failures = body.times
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/texts',
    { config, schema: { operationId: 'listTexts', summary: 'List the text messages that were sent', response: { 200: schemas.Texts } } },
    async () => ({ data: texts.all(() => true) }),
  )
  app.post(
    '/texts/next',
    {
      config,
      schema: { operationId: 'takeText', summary: 'Take the next text message', body: schemas.AskedText, response: { 200: schemas.Text } },
    },
    async ({ body: { to, timeoutMilliseconds } }) => controls.next(texts, (text) => text.to === (to ?? text.to), timeoutMilliseconds),
  )
  app.post(
    '/texts/fail',
    {
      config,
      schema: { operationId: 'failTexts', summary: 'Refuse the next text messages', body: schemas.AskedFailures, response: nothing },
    },
    async ({ body }, reply) => {
      texts.failures = body.times
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/webhooks/next',
    {
      config,
      schema: {
        operationId: 'takeWebhook',
        summary: 'Take the next webhook that has arrived',
        body: schemas.AskedWebhook,
        response: { 200: schemas.Webhook },
      },
    },
    async ({ body: { event, organisationId, timeoutMilliseconds } }) =>
      controls.next(
        receiver.received,
        (webhook) => webhook.event === (event ?? webhook.event) && webhook.organisationId === (organisationId ?? webhook.organisationId),
        timeoutMilliseconds,
      ),
  )
  app.post(
    '/webhooks/receiver',
    {
      config,
      schema: { operationId: 'setReceiver', summary: 'Set how the receiver responds', body: schemas.ReceiverStatus, response: nothing },
    },
    async ({ body }, reply) => {
      receiver.status = body.status
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/faults',
    { config, schema: { operationId: 'fail', summary: 'Let the next requests fail', body: schemas.NewFault, response: nothing } },
    async ({ body }, reply) => {
      if (!faults.add(body)) throw tooMany('faults')
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/bends',
    { config, schema: { operationId: 'bend', summary: 'Bend the next token', body: schemas.NewBend, response: nothing } },
    async ({ body }, reply) => {
      if (!bends.add(body)) throw tooMany('bent tokens')
      return reply.code(204).send(null)
    },
  )
  app.post(
    '/reset',
    {
      config,
      schema: { operationId: 'reset', summary: 'Forget the messages, failures, faults and bent tokens that are left', response: nothing },
    },
    async (_, reply) => {
      await controls.reset()
      return reply.code(204).send(null)
    },
  )

  recordRoutes(app, controls)
  snapshotRoutes(app, controls)
}

function clockRoutes(app: App, controls: Controls): void {
  const { clock } = controls
  const moved = async (move: (clock: MovableClock) => void) => {
    // What is due before belongs to the time before.
    await controls.settle()
    const { position } = clock
    move(clock)
    const year = clock.now().getUTCFullYear()
    // The database has no other times, nor has a date that is none a year.
    if (!(year >= 2000 && year <= 9998)) {
      clock.position = position
      throw invalidInput([yearOutOfRange([])])
    }
    await controls.settle()
    return { now: clock.now().toISOString(), isFrozen: clock.isFrozen }
  }
  const response = { 200: schemas.ClockState }
  app.get('/clock', { config, schema: { operationId: 'getClock', summary: 'The time of the service', response } }, async () => ({
    now: clock.now().toISOString(),
    isFrozen: clock.isFrozen,
  }))
  app.post(
    '/clock/advance',
    { config, schema: { operationId: 'advanceClock', summary: 'Move the time, and do what is due', body: schemas.Advance, response } },
    async ({ body }) => moved((moving) => moving.advance(body)),
  )
  app.post(
    '/clock/set',
    { config, schema: { operationId: 'setClock', summary: 'Set the time, and do what is due', body: schemas.NewTime, response } },
    async ({ body }) => moved((moving) => moving.set(body.time)),
  )
  app.post('/clock/freeze', { config, schema: { operationId: 'freezeClock', summary: 'Stop the time', response } }, async () =>
    moved((moving) => moving.freeze()),
  )
  app.post('/clock/real', { config, schema: { operationId: 'realClock', summary: 'Return to the real time', response } }, async () =>
    moved((moving) => moving.real()),
  )
}

const tooMany = (what: string) => new Problem('too-many', 'conflict', `There are too many ${what} already`)
