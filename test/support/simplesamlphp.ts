import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { needs } from './needs.ts'
import type { RealSamlProvider } from './real-saml-provider.ts'
import { type SamlProvider, samlProvider } from './saml-provider.ts'

const installed = '/usr/share/simplesamlphp'
const program = `${installed}/bin/pwgen.php`

/** Of tests with SimpleSAMLphp, as Debian packages it. */
export const needsSimpleSaml = needs(program, existsSync(program))

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/** SimpleSAMLphp as an identity provider, with a configuration of its own. It has one user: `anna`, with the password `secret`. */
export class SimpleSaml implements RealSamlProvider {
  readonly name = 'SimpleSAMLphp'
  readonly credentials = { username: 'anna', password: 'secret' }
  readonly origin: string
  readonly metadataUrl: string
  readonly keys: SamlProvider
  readonly #home: string
  #process: ChildProcess | undefined

  private constructor(origin: string, keys: SamlProvider, home: string) {
    this.origin = origin
    this.metadataUrl = `${origin}/saml2/idp/metadata.php`
    this.keys = keys
    this.#home = home
  }

  static async start(email: string): Promise<SimpleSaml> {
    const [port, keys, home] = [await freePort(), await samlProvider(), await mkdtemp(join(tmpdir(), 'simplesamlphp-'))]
    const provider = new SimpleSaml(`http://127.0.0.1:${port}`, keys, home)
    await provider.#configure(email)
    await provider.#start(port)
    return provider
  }

  /** Tells it the metadata of a service provider: theirs is the parser. */
  register = (metadata: string) => writeFile(join(this.#home, 'sp.xml'), metadata)

  async stop(): Promise<void> {
    const running = this.#process
    if (running && running.exitCode === null) {
      const exited = once(running, 'exit')
      running.kill('SIGKILL')
      await exited
    }
    await rm(this.#home, { recursive: true, force: true })
  }

  async #configure(email: string): Promise<void> {
    const home = this.#home
    for (const folder of ['cert', 'log', 'data', 'metadata', 'sessions', 'tmp']) await mkdir(join(home, folder))
    const files = {
      'cert/idp.pem': this.keys.privateKey,
      'cert/idp.crt': this.keys.certificate,
      'config.php': `<?php $config = [
        'baseurlpath' => '${this.origin}/', 'certdir' => '${home}/cert/', 'loggingdir' => '${home}/log/', 'datadir' => '${home}/data/',
        'tempdir' => '${home}/tmp', 'metadatadir' => '${home}/metadata/', 'attributenamemapdir' => '/etc/simplesamlphp/attributemap/',
        'technicalcontact_name' => 'IT', 'technicalcontact_email' => 'it@example.test', 'timezone' => 'UTC',
        'secretsalt' => 'of a test', 'auth.adminpassword' => 'of a test', 'admin.checkforupdates' => false,
        'logging.handler' => 'file', 'logging.logfile' => 'log', 'enable.saml20-idp' => true,
        'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true],
        'session.cookie.secure' => false, 'store.type' => 'phpsession', 'session.phpsession.savepath' => '${home}/sessions',
        'session.cookie.name' => 'SimpleSAMLSessionID', 'session.phpsession.cookiename' => 'SimpleSAML',
        'session.authtoken.cookiename' => 'SimpleSAMLAuthToken', 'language.available' => ['en'], 'language.default' => 'en',
        'metadata.sources' => [['type' => 'flatfile'], ['type' => 'xml', 'file' => '${home}/sp.xml']],
      ];`,
      'authsources.php': `<?php $config = ['test' => ['exampleauth:UserPass', 'anna:secret' => ['uid' => ['anna'], 'mail' => ['${email}']]]];`,
      'metadata/saml20-idp-hosted.php': `<?php $metadata['__DYNAMIC:1__'] = [
        'host' => '__DEFAULT__', 'privatekey' => 'idp.pem', 'certificate' => 'idp.crt', 'auth' => 'test',
        'authproc' => [1 => ['class' => 'saml:AttributeNameID', 'attribute' => 'uid', 'Format' => '${persistent}']],
        'NameIDFormat' => '${persistent}', 'validate.authnrequest' => true, 'redirect.validate' => true, 'sign.logout' => true,
      ];`,
      'sp.xml': '<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>',
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text)
  }

  async #start(port: number): Promise<void> {
    const started = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', `${installed}/www`], {
      env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: this.#home },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#process = started
    let printed = ''
    for await (const chunk of started.stderr.iterator({ destroyOnReturn: false })) {
      printed += chunk
      if (printed.includes('started')) break
    }
    started.stderr.resume()
    if (!printed.includes('started')) throw new Error(`SimpleSAMLphp did not start: ${printed}`)
  }
}
