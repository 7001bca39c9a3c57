import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useState } from 'react'
import { answerOf, api } from '../api/client.ts'
import { limitsOf } from '../api/operations.ts'
import type { components } from '../api/schema.d.ts'
import { assertionChecksTexts as t } from '../texts/assertion-checks.ts'
import { checksTexts } from '../texts/checks.ts'
import { shellTexts } from '../texts/shell.ts'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/definition-list.tsx'
import { Form, FormActions } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { TextField } from '../ui/text-field.tsx'
import styles from './assertion-drawer.module.css'
import { RecordLink } from './audit-sentence.tsx'
import { FormFoot } from './confirm.tsx'
import { ConnectionLink } from './connection-link.tsx'
import { Drawer } from './drawer.tsx'
import type { PickedItem } from './picker-searches.ts'
import { namesQuery, Picker } from './pickers.tsx'
import { useSubmit } from './use-submit.ts'

const operation = 'POST /v1/admin/assertion-checks'
type AssertionCheck = components['schemas']['AssertionCheck']
type Check = components['schemas']['InspectedCheck']

/** Takes a pasted assertion, and shows each check that it would meet. */
export function AssertionDrawer({ onClose }: { onClose: () => void }) {
  const [assertion, setAssertion] = useState('')
  const [application, setApplication] = useState<PickedItem>()
  const [found, setFound] = useState<AssertionCheck>()
  const submission = useSubmit({
    fields: ['assertion', 'clientId'],
    work: async () => {
      const body = { assertion, ...(application && { clientId: application.value }) }
      setFound(await answerOf(api.POST('/v1/admin/assertion-checks', { body })))
    },
  })
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()} title={t.title}>
      {found ? (
        <>
          <Result found={found} />
          <FormActions>
            <Button onClick={() => setFound(undefined)}>{t.another}</Button>
            <Button variant="primary" onClick={onClose}>
              {shellTexts.close}
            </Button>
          </FormActions>
        </>
      ) : (
        <Form errors={submission.errors} onSubmit={submission.onSubmit}>
          <p>{t.description}</p>
          <TextField
            name="assertion"
            label={t.assertion}
            {...limitsOf(operation, 'assertion')}
            multiline={8}
            mono
            required
            autoFocus
            value={assertion}
            onValueChange={setAssertion}
          />
          <Picker
            of="clients"
            name="clientId"
            label={t.application}
            placeholder={t.named}
            value={application ? [application] : []}
            onValueChange={(items) => setApplication(items.at(-1))}
          />
          <FormFoot of={submission} onCancel={onClose} action={t.inspect} />
        </Form>
      )}
    </Drawer>
  )
}

function Result({ found: { allowed, clientId, connectionId, userId, createsUser, resources, scope, checks } }: { found: AssertionCheck }) {
  const user = useQuery({ ...namesQuery('users', userId ?? ''), enabled: userId !== null })
  const client = useQuery({ ...namesQuery('clients', clientId ?? ''), enabled: clientId?.startsWith('cli_') ?? false })
  const unmet = checks.filter(({ state }) => state === 'not_met').length
  const facts = [
    ...(clientId === null
      ? []
      : [{ term: t.facts.application, value: <RecordLink type="client" id={clientId} name={client.data ?? clientId} /> }]),
    ...(connectionId === null ? [] : [{ term: t.facts.connection, value: <ConnectionLink id={connectionId} /> }]),
    ...(userId === null ? [] : [{ term: t.facts.user, value: <RecordLink type="user" id={userId} name={user.data ?? userId} /> }]),
    ...(createsUser ? [{ term: t.facts.user, value: t.newUser }] : []),
    ...(resources.length === 0 ? [] : [{ term: t.facts.resources, value: <code className={styles.value}>{resources.join(' ')}</code> }]),
    ...(scope.length === 0 ? [] : [{ term: t.facts.scope, value: <code className={styles.value}>{scope.join(' ')}</code> }]),
  ]
  return (
    <>
      <div aria-live="polite">
        <Notice tone={allowed ? 'success' : 'danger'} title={allowed ? t.allowed : t.refused(unmet)} />
      </div>
      {facts.length > 0 && <Facts items={facts} />}
      <ul className={styles.checks} aria-label={t.checks}>
        {checks.map((check) => (
          <CheckRow key={check.check} check={check} />
        ))}
      </ul>
    </>
  )
}

const icons = { met: CircleCheck, not_met: CircleX, not_reached: CircleDashed }

function CheckRow({ check: { check, state, error, expected, received, phrases } }: { check: Check }) {
  const Icon = icons[state]
  return (
    <li className={styles.check} data-state={state}>
      <Icon size={16} role="img" aria-label={t.states[state]} />
      <div>
        <p>{t.names[check] ?? <code>{check}</code>}</p>
        {state === 'not_reached' && <p className={styles.note}>{t.notReached}</p>}
        {/* A phrase of the service would say the same again. */}
        {state === 'met' && phrases.received === null && <p className={styles.note}>{received}</p>}
        {state === 'not_met' && (
          <dl className={styles.difference}>
            {expected !== null && (
              <>
                <dt>{t.expected}</dt>
                <dd>{said(phrases.expected, expected)}</dd>
              </>
            )}
            <dt>{t.received}</dt>
            <dd>{received !== null && said(phrases.received, received)}</dd>
            <dt>{t.error}</dt>
            <dd>
              {error} ({check})
            </dd>
          </dl>
        )}
      </div>
    </li>
  )
}

/** A value, or the words of a phrase of the service. */
const said = (phrased: Check['phrases']['expected'], value: string) => (phrased ? checksTexts.inWords(phrased, value) : value)
