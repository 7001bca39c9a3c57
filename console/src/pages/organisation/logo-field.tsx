import { useQueryClient } from '@tanstack/react-query'
import { ImageUp, Trash2 } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import { Problem } from '../../api/problem.ts'
import { describeProblem, loadChangeRefusals } from '../../parts/describe-problem.ts'
import { useAction } from '../../parts/use-submit.ts'
import { organisationTexts as t } from '../../texts/organisation.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import styles from './logo-field.module.css'

const bytesMax = 256 * 1_024
const formats = ['image/png', 'image/jpeg', 'image/webp']

interface LogoFieldProps {
  logoUrl: string
  /** The reason why no file can be uploaded at present. */
  disabledReason: string | undefined
}

/** A logo from a file, which is stored at once and served from here. The field below shows its address. */
export function LogoField({ logoUrl, disabledReason }: LogoFieldProps) {
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [mistake, setMistake] = useState<string>()
  const isUploaded = URL.canParse(logoUrl) && new URL(logoUrl).origin === location.origin
  const upload = useAction(async (file: File) => {
    try {
      await answerOf(api.POST('/v1/admin/organisation/logo', { body: { content: await base64Of(file) } }))
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error
      await loadChangeRefusals()
      setMistake(describeProblem(error).text)
    }
    await invalidate(queries, 'organisation')
  })
  const remove = useAction(async () => {
    await answerOf(api.DELETE('/v1/admin/organisation/logo'))
    await invalidate(queries, 'organisation')
  })
  const take = (file: File | undefined) => {
    if (!file || disabledReason) return
    const why = !formats.includes(file.type) ? t.logoFormat : file.size > bytesMax ? t.logoTooLarge : undefined
    setMistake(why)
    if (!why) void upload.run(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files[0])
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <div className={styles.field}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same by keyboard */}
      <div className={classNames(styles.place, isOver && styles.over)} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
        {isUploaded && (
          <span className={styles.shown}>
            {(['light', 'dark'] as const).map((scheme) => (
              <span key={scheme} className={classNames(styles.ground, styles[scheme])}>
                <img src={logoUrl} alt={t.logoOn[scheme]} />
              </span>
            ))}
          </span>
        )}
        <span className={styles.buttons}>
          <Button icon={ImageUp} busy={upload.busy} disabledReason={disabledReason} onClick={() => input.current?.click()}>
            {isUploaded ? t.replaceLogo : t.chooseLogo}
          </Button>
          {isUploaded && (
            <Button variant="quiet" icon={Trash2} busy={remove.busy} disabledReason={disabledReason} onClick={() => void remove.run()}>
              {t.removeLogo}
            </Button>
          )}
        </span>
        <span className={styles.hint}>{t.logoFileHint}</span>
        <input
          ref={input}
          type="file"
          accept={formats.join(',')}
          aria-label={t.chooseLogo}
          tabIndex={-1}
          hidden
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0])
            // Reset it, so that the same file can be chosen again.
            currentTarget.value = ''
          }}
        />
      </div>
      {mistake && (
        <Notice tone="danger" role="alert">
          {mistake}
        </Notice>
      )}
    </div>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
