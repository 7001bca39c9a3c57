import { refusedMethodsTexts as t } from '../texts/refused-methods.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyButton } from './copy.tsx'

const code = {
  key: 'client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer&client_assertion=<JWT signed with the private key>',
  certificate: 'curl --cert certificate.pem --key key.pem <token endpoint> -d client_id=<client_id> -d grant_type=<grant_type>',
}

/** What an application sends that authenticates without a secret. */
export function RefusedMethod({ method }: { method: keyof typeof code }) {
  return (
    <>
      <p>{t.advice[method]}</p>
      <CodeBlock code={code[method]} label={t.snippets[method]} wrap copyButton={<CopyButton text={code[method]} />} />
    </>
  )
}
