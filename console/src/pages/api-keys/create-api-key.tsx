import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { Refusal } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { PermissionPicker, useGrantablePermissions } from '../../parts/permission-picker.tsx'
import { useQuestion } from '../../parts/use-question.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { apiKeysTexts as t } from '../../texts/api-keys.ts'
import { questionsTexts } from '../../texts/questions.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Chip, Chips } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'

const operation = 'POST /v1/admin/api-keys'

interface CreateApiKeyProps {
  /** The permissions that the calls of a page need, from the API drawer. */
  permissions: string[] | undefined
  onClose: () => void
  onMade: (made: { name: string; key: string }) => void
}

export function CreateApiKey({ permissions, onClose, onMade }: CreateApiKeyProps) {
  const queries = useQueryClient()
  const { choices: grantable } = useGrantablePermissions()
  const [chosen, setChosen] = useState<string[]>(permissions ?? [])
  const [lifetime, setLifetime] = useState('90')
  const readAll = grantable
    .filter(({ slug, grantable }) => grantable && slug.endsWith(':read'))
    .map(({ slug }) => slug)
    .sort()
  const presets = [
    ...(permissions ? [{ value: permissions.join(' '), label: t.fromPage }] : []),
    { value: readAll.join(' '), label: t.readAll },
    { value: '', label: t.clear },
  ]
  const { ask, question } = useQuestion()
  const submission = useSubmit({
    fields: ['name', 'permissions', 'expiresAt'],
    work: async (form) => {
      const name = String(form.get('name')).trim()
      const writing = chosen.filter((slug) => !slug.endsWith(':read')).sort()
      const body = (
        <>
          <p>{questionsTexts.writeKey}</p>
          <Chips>
            {writing.map((slug) => (
              <Chip key={slug}>{slug}</Chip>
            ))}
          </Chips>
        </>
      )
      const title = questionsTexts.writeKeyQuestion(name)
      if (writing.length > 0 && !(await ask({ title, body, action: questionsTexts.writeKeyAction, danger: true }))) return
      const expiresAt = lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * 86_400_000).toISOString()
      // Only the page holds it until it was stored.
      const { key } = await answerOf(api.POST('/v1/admin/api-keys', { body: { name, permissions: chosen, expiresAt } }))
      if (key !== undefined) onMade({ name, key })
      onClose()
      await invalidate(queries, 'api-keys')
    },
  })
  return (
    <Drawer open onOpenChange={(open) => !open && onClose()} title={t.create}>
      <Form errors={submission.errors} onSubmit={submission.onSubmit}>
        <ApiTextField of={operation} name="name" label={t.name} hint={t.nameHint} autoFocus />
        <Select
          label={t.lifetime}
          name="expiresAt"
          value={lifetime}
          onValueChange={setLifetime}
          options={Object.entries(t.lifetimes).map(([value, label]) => ({ value, label }))}
        />
        <Segmented
          label={t.startWith}
          value={presets.find(({ value }) => value === chosen.toSorted().join(' '))?.value ?? ' '}
          options={presets}
          onValueChange={(value) => setChosen(value.split(' ').filter(Boolean))}
        />
        <PermissionPicker legend={t.permissions} value={chosen} onValueChange={setChosen} />
        <Refusal of={submission} />
        <FormActions>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button
            type="submit"
            variant="primary"
            busy={submission.busy}
            disabledReason={chosen.length === 0 ? t.choosePermissions : undefined}
          >
            {t.create}
          </Button>
        </FormActions>
        {question}
      </Form>
    </Drawer>
  )
}
