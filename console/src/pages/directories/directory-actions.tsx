import { useQueryClient } from '@tanstack/react-query'
import { answerOf, api, conditionOf } from '../../api/client.ts'
import type { Directory } from '../../api/directories.ts'
import { invalidate } from '../../api/keys.ts'
import { formatNumber } from '../../parts/format.ts'
import { SwitchOrRemove } from '../../parts/switch-or-remove.tsx'
import { useMayChange } from '../../parts/use-change.ts'
import { useLeave } from '../../parts/use-leave.ts'
import { useTrustQuestion } from '../../parts/use-trust-question.tsx'
import { directoriesTexts as t } from '../../texts/directories.ts'
import { questionsTexts } from '../../texts/questions.ts'
import { Facts } from '../../ui/definition-list.tsx'

/** Actions on a whole directory. */
export function DirectoryActions({ directory, tag }: { directory: Directory; tag: string | undefined }) {
  const { id, name, isActive, counts, userMatch, emailChanges, groupMappings } = directory
  const may = useMayChange()
  const queries = useQueryClient()
  const leave = useLeave()
  const { askAboutTrust, question } = useTrustQuestion()
  const path = { id }
  const readAgain = () => invalidate(queries, 'directories')
  return (
    <>
      <SwitchOrRemove
        name={name}
        isActive={isActive}
        texts={t}
        offEffect={t.offEffect(counts.users)}
        removeEffect={t.removeEffect(counts.users)}
        maySwitch={may('PATCH /v1/admin/directories/{id}')}
        mayRemove={may('DELETE /v1/admin/directories/{id}')}
        setActive={async (active) => {
          const decided = (
            <Facts
              items={[
                { term: t.fields.userMatch, value: t.choices.userMatch[userMatch] },
                { term: t.fields.emailChanges, value: t.choices.emailChanges[emailChanges] },
                { term: t.fields.groupMappings, value: formatNumber(groupMappings.length) },
              ]}
            />
          )
          const title = questionsTexts.directoryOnQuestion(name)
          if (active && !(await askAboutTrust({ of: 'directory', name, decided, title, action: t.switchOn }))) return
          // What was confirmed is what is switched on; what is switched off may be anything.
          const params = { path, ...(active && { header: conditionOf(tag) }) }
          try {
            await answerOf(api.PATCH('/v1/admin/directories/{id}', { params, body: { isActive: active } }))
          } finally {
            await readAgain()
          }
        }}
        onRemove={async (body) => {
          await answerOf(api.DELETE('/v1/admin/directories/{id}', { params: { path }, body }))
          await leave('/directories')
          queries.removeQueries({ queryKey: ['directories', id] })
          await readAgain()
        }}
      />
      {question}
    </>
  )
}
