import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, CircleAlert, CircleCheck, Link2 } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { useMay } from '../../api/profile.ts'
import { defaultRoleQuery } from '../../api/roles.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { Cancel, Refusal } from '../../parts/confirm.tsx'
import { Drawer } from '../../parts/drawer.tsx'
import { Picker } from '../../parts/pickers.tsx'
import { roleName } from '../../parts/role-words.ts'
import { useCopy } from '../../parts/use-copy.ts'
import { useRoleQuestion } from '../../parts/use-role-question.tsx'
import { useStay } from '../../parts/use-stay.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useWorkThrough } from '../../parts/use-work-through.ts'
import { atMost, type Worked } from '../../parts/work-through.ts'
import { invitationsTexts as t } from '../../texts/invitations.ts'
import { questionsTexts } from '../../texts/questions.ts'
import { shellTexts } from '../../texts/shell.ts'
import { Button } from '../../ui/button.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { parseAddresses } from './addresses.ts'
import styles from './invitations.module.css'
import { MailPlace } from './mail-place.tsx'

const operation = 'POST /v1/admin/invitations'

interface InviteProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function Invite({ open, onOpenChange }: InviteProps) {
  const [isHeld, setHeld] = useState(false)
  return (
    <Drawer open={open} onOpenChange={onOpenChange} locked={isHeld} title={t.invite}>
      <InviteMany onHold={setHeld} onClose={() => onOpenChange(false)} />
    </Drawer>
  )
}

interface Item {
  value: string
  label: string
}

interface InviteManyProps {
  /** Told whether the drawer has to stay: while invitations are being sent, and while it shows links that are shown once. */
  onHold: (isHeld: boolean) => void
  onClose: () => void
}

/** Invites many addresses, one call each, and shows the result of each. */
function InviteMany({ onHold, onClose }: InviteManyProps) {
  const may = useMay()
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [mistake, setMistake] = useState<string>()
  const [chosen, setChosen] = useState<Item[]>()
  const [teams, setTeams] = useState<Item[]>([])
  const [days, setDays] = useState('7')
  const { progress, stop, run: workThrough } = useWorkThrough()
  const [wantsLinks, setWantsLinks] = useState(false)
  /** The results of all rounds: what was refused or left can be corrected and sent again. */
  const [result, setResult] = useState<Worked<string>>()
  const [isCorrecting, setCorrecting] = useState(false)
  /** The links by address, until the drawer is closed. */
  const [links, setLinks] = useState<ReadonlyMap<string, string>>(new Map())
  const isHeld = progress !== undefined || links.size > 0
  useStay(() => links.size > 0)
  useEffect(() => {
    onHold(isHeld)
    return () => onHold(false)
  }, [isHeld, onHold])
  const mayReadRoles = may('GET /v1/admin/roles')
  const { data: defaultRole } = useQuery({ ...defaultRoleQuery, enabled: mayReadRoles })
  const roles = chosen ?? (defaultRole ? [{ value: defaultRole.id, label: roleName(defaultRole) }] : [])
  const { addresses, repeated } = parseAddresses(text)

  const { askAboutRoles, question } = useRoleQuestion()
  const submission = useSubmit({
    work: async (form) => {
      const wrong = mistakeIn(text)
      setMistake(wrong)
      if (wrong) return
      const roleId = mayReadRoles ? roles[0]?.value : String(form.get('roleId'))
      if (roleId === undefined) return
      const to = addresses.length === 1 ? String(addresses[0]) : questionsTexts.giveAllTo(addresses.length)
      if (mayReadRoles && !(await askAboutRoles([roleId], { to }))) return
      const body = { roleId, clientId: null, teamIds: teams.map(({ value }) => value), expiresInDays: Number(days), returnLink: wantsLinks }
      const made = new Map(links)
      const invite = async (email: string) => {
        const { link } = await answerOf(api.POST('/v1/admin/invitations', { body: { email, ...body } }))
        if (link !== undefined) made.set(email, link)
      }
      const worked = await workThrough(addresses, invite)
      setLinks(made)
      setResult({ ...worked, done: [...(result?.done ?? []), ...worked.done] })
      setCorrecting(false)
      await invalidate(queries, 'invitations')
    },
  })

  if (result && !isCorrecting) {
    const correct = () => {
      setText([...result.failed.map(({ item }) => item), ...result.left].join('\n'))
      setCorrecting(true)
    }
    return <Results result={result} links={links} onClose={onClose} onCorrect={correct} />
  }
  return (
    <Form errors={mistake ? { emails: mistake } : {}} onSubmit={submission.onSubmit}>
      <TextField
        name="emails"
        label={t.addresses}
        hint={t.addressesHint}
        multiline={4}
        required
        autoFocus
        value={text}
        onValueChange={(value) => {
          setText(value)
          setMistake(undefined)
        }}
      />
      <p className={styles.muted} aria-live="polite">
        {addresses.length > 0 && t.found(addresses.length, repeated)}
      </p>
      {mayReadRoles ? (
        <Picker
          of="roles"
          label={t.role}
          hint={t.roleHint}
          value={roles}
          // Only one role can be chosen: the last choice replaces the former one.
          onValueChange={(items) => setChosen(items.slice(-1))}
        />
      ) : (
        <ApiTextField of={operation} name="roleId" label={t.role} hint={t.roleSlugHint} mono />
      )}
      <Picker of="teams" label={t.teams} multiple value={teams} onValueChange={setTeams} />
      <Select
        label={t.validFor}
        value={days}
        onValueChange={setDays}
        options={[1, 7, 14, 30].map((count) => ({ value: String(count), label: t.days(count) }))}
      />
      <Switch label={t.returnLink} hint={t.returnLinkHint} checked={wantsLinks} onCheckedChange={setWantsLinks} />
      <Refusal of={submission} />
      {progress && <Progress label={shellTexts.progress(progress.done, progress.of)} value={progress.done} max={progress.of} />}
      <FormActions>
        {progress ? (
          <Button onClick={stop}>{shellTexts.stop}</Button>
        ) : (
          <Cancel of={submission} onClick={isCorrecting ? () => setCorrecting(false) : onClose} />
        )}
        <Button
          type="submit"
          variant="primary"
          busy={submission.busy}
          disabledReason={mayReadRoles && roles.length === 0 ? t.chooseRole : undefined}
        >
          {t.send(addresses.length)}
        </Button>
      </FormActions>
      {question}
    </Form>
  )
}

function mistakeIn(text: string): string | undefined {
  const { addresses, unreadable } = parseAddresses(text)
  if (unreadable.length > 0) return t.notAnAddress(unreadable.slice(0, 3).join(', '))
  return addresses.length > atMost ? t.tooMany(atMost) : undefined
}

interface ResultsProps {
  result: Worked<string>
  links: ReadonlyMap<string, string>
  onClose: () => void
  onCorrect: () => void
}

function Results({ result: { done, failed, left }, links, onClose, onCorrect }: ResultsProps) {
  const id = useId()
  return (
    <>
      {done.length > 0 && <MailPlace />}
      <h3 id={id} role="status">
        {t.result(done.length, failed.length + left.length)}
      </h3>
      <ul className={styles.results} aria-labelledby={id}>
        {failed.map(({ item, reason }) => (
          <li key={item} className={styles.result}>
            <CircleAlert size={16} aria-hidden className={styles.refused} />
            <span>
              <strong>{item}</strong>: {reason}
            </span>
          </li>
        ))}
        {left.map((email) => (
          <li key={email} className={styles.result}>
            <CircleAlert size={16} aria-hidden className={styles.refused} />
            <span>
              <strong>{email}</strong>: {t.wasLeft}
            </span>
          </li>
        ))}
        {done.map((email) => (
          <li key={email} className={styles.result}>
            <CircleCheck size={16} aria-hidden className={styles.sent} />
            <span>
              {email}: {t.wasSent}
            </span>
            {links.has(email) && <CopyLink email={email} link={links.get(email) as string} />}
          </li>
        ))}
      </ul>
      {links.size > 0 && <p className={styles.muted}>{t.linksOnce}</p>}
      <FormActions>
        {failed.length + left.length > 0 && <Button onClick={onCorrect}>{t.correct}</Button>}
        <Button variant="primary" autoFocus onClick={onClose}>
          {shellTexts.done}
        </Button>
      </FormActions>
    </>
  )
}

function CopyLink({ email, link }: { email: string; link: string }) {
  const { copied, copy } = useCopy()
  return (
    <Button small icon={copied ? Check : Link2} aria-label={`${t.copyLink}: ${email}`} onClick={() => void copy(link)}>
      {copied ? shellTexts.copied : t.copyLink}
    </Button>
  )
}
