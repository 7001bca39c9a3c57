import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import type { Directory, DirectoryRequest } from '../../api/directories.ts'
import type { components } from '../../api/schema.d.ts'
import { Refusal } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { RecordedChanges } from '../../parts/recorded-changes.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'

type Tried = components['schemas']['TriedRequest']
type Method = components['schemas']['DirectoryRequest']['method']

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((value) => ({ value, label: value }))

interface TryRequestProps {
  directory: Directory
  /** The request that is tried again, as far as the log has it. */
  again?: Pick<DirectoryRequest, 'method' | 'path' | 'filter'> | undefined
  onClose: () => void
}

/** A request that is carried out and rolled back: what its response would be, and what would change. */
export function TryRequest({ directory, again, onClose }: TryRequestProps) {
  const [tried, setTried] = useState<Tried>()
  const [isUnreadable, setUnreadable] = useState(false)
  const submission = useSubmit({
    fields: ['path', 'body'],
    work: async (form) => {
      const sent = readBody(String(form.get('body') ?? ''))
      setUnreadable(sent === undefined)
      setTried(undefined)
      if (!sent) return
      const [method, path] = [form.get('method') as 'GET', String(form.get('path'))]
      setTried(
        await answerOf(
          api.POST('/v1/admin/directories/{id}/requests/try', {
            params: { path: { id: directory.id } },
            body: { method, path, ...sent },
          }),
        ),
      )
    },
  })
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title={t.tryRequest} description={t.tryDescription}>
      <Form errors={{ ...submission.errors, ...(isUnreadable && { body: t.noJson }) }} onSubmit={submission.onSubmit}>
        <Select label={t.method} name="method" options={methods} defaultValue={again?.method ?? ('GET' satisfies Method)} />
        <TextField
          mono
          required
          label={t.path}
          name="path"
          hint={t.pathHint}
          defaultValue={again ? addressOf(again) : '/Users'}
          maxLength={4_096}
        />
        <TextField mono label={t.body} name="body" hint={t.bodyHint} multiline={8} />
        <Refusal of={submission} />
        <FormActions>
          <Button type="submit" variant="primary" busy={submission.busy}>
            {t.tryIt}
          </Button>
        </FormActions>
      </Form>
      <div aria-live="polite">{tried && <Result tried={tried} directory={directory} />}</div>
    </Drawer>
  )
}

/** With its filter, which may have what ends a parameter. */
const addressOf = ({ path, filter }: Pick<DirectoryRequest, 'path' | 'filter'>) =>
  filter === null ? path : `${path}?filter=${filter.replaceAll(/[%&+#]/g, encodeURIComponent)}`

function Result({ tried: { response, changes, changesTotal }, directory: { id, name } }: { tried: Tried; directory: Directory }) {
  return (
    <>
      <p>
        {t.wouldGet} <Badge tone={response.status >= 400 ? 'danger' : 'success'}>{String(response.status)}</Badge>
      </p>
      {response.body !== null && <JsonView value={response.body} label={t.answered} />}
      <p>{changesTotal === 0 ? t.wouldChangeNothing : t.wouldRecord(changesTotal)}</p>
      {changes.length > 0 && <RecordedChanges changes={changes} actor={{ id, name, type: 'directory', email: null }} />}
      {changesTotal > changes.length && <p>{t.onlyFirst(changes.length)}</p>}
    </>
  )
}

/** @returns nothing for no body; undefined when it is no JSON */
function readBody(text: string): { body?: unknown } | undefined {
  if (text.trim() === '') return {}
  try {
    return { body: JSON.parse(text) }
  } catch {
    return undefined
  }
}
