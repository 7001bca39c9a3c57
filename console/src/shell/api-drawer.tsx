import { queries } from 'virtual:queries'
import { useState, useSyncExternalStore } from 'react'
import { operationOf, permissionsOf } from '../api/operations.ts'
import type { RecordedCall } from '../api/recorded-call.ts'
import { recorder } from '../api/recorder.ts'
import { CopyButton } from '../parts/copy.tsx'
import { JsonView } from '../parts/json-view.tsx'
import { shellTexts as t } from '../texts/shell.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Tabs } from '../ui/tabs.tsx'
import styles from './api-drawer.module.css'
import { asCurl, asFetch, asOpenapiFetch, type CalledOperation } from './call-as-code.ts'

/** The actions of the page as calls of the public API: to learn from, to copy, and to create a key with exactly these permissions. */
export function ApiDrawer({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const calls = useSyncExternalStore(recorder.subscribe, recorder.calls)
  const [chosen, setChosen] = useState<number>()
  const call = calls.find(({ number }) => number === chosen) ?? calls.at(-1)
  const permissions = neededBy(calls)
  return (
    <Dialog drawer open={open} onOpenChange={onOpenChange} title={t.apiDrawer} description={t.apiDrawerHint} closeLabel={t.close}>
      <ol className={styles.calls} aria-label={t.apiCalls}>
        {calls.toReversed().map((one) => (
          <li key={one.number}>
            <button type="button" className={styles.call} aria-pressed={one === call} onClick={() => setChosen(one.number)}>
              <strong>{one.method}</strong>
              <span className={styles.path}>{one.path}</span>
              <span data-failed={one.status >= 400 || undefined} className={styles.status}>
                {one.status}
              </span>
              <span className={styles.time}>{one.milliseconds} ms</span>
            </button>
          </li>
        ))}
      </ol>
      {call && <CallDetails call={call} />}
      <LinkButton to="/api-keys" search={{ create: 'yes', permissions: permissions.join(' ') }} onClick={() => onOpenChange(false)}>
        {t.makeKey(permissions.length)}
      </LinkButton>
    </Dialog>
  )
}

function CallDetails({ call }: { call: RecordedCall }) {
  const code = (text: string, label: string) => <CodeBlock code={text} label={label} wrap copyButton={<CopyButton text={text} />} />
  return (
    <section className={styles.details} aria-label={`${call.method} ${call.path}`}>
      {call.requestId && <p>{t.requestId(call.requestId)}</p>}
      <Tabs
        label={t.asCode}
        tabs={[
          { value: 'curl', label: 'curl', content: code(asCurl(call, location.origin), 'curl') },
          { value: 'fetch', label: 'fetch', content: code(asFetch(call, location.origin), 'fetch') },
          {
            value: 'openapi-fetch',
            label: 'openapi-fetch',
            content: code(asOpenapiFetch(call, location.origin, calledBy(call)), 'openapi-fetch'),
          },
          { value: 'response', label: t.response, content: <JsonView value={call.responseBody} label={t.response} /> },
        ]}
      />
    </section>
  )
}

function calledBy({ method, path }: RecordedCall): CalledOperation | undefined {
  const operation = operationOf(method, path)
  return operation && { template: operation.split(' ')[1] ?? path, query: queries[operation] ?? {} }
}

/** The permissions that all the calls need together. */
function neededBy(calls: readonly RecordedCall[]): string[] {
  const needed = calls.flatMap(({ method, path }) => {
    const operation = operationOf(method, path)
    return operation ? permissionsOf(operation) : []
  })
  return [...new Set(needed)].sort()
}
