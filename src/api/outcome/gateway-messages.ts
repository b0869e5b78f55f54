/** What the server in front of a service says when it lets nothing through: it is about the settings, not the data. */
interface GatewayMessage {
  readonly says: string
  readonly hint: string
}

const wantsCertificate: GatewayMessage = {
  says: 'What answers there asks for a client certificate, and payroll sends none',
  hint: 'Ask whoever runs the service for an address that takes the key alone.',
}

const wantsHttps: GatewayMessage = {
  says: 'The base address begins with http://, and this port speaks https only',
  hint: 'Correct it: payroll profiles set <name> --base-url https://…',
}

/** Sentences of nginx, Apache and Go, as they stand in the page or the text of a 400. */
const sentences: readonly (readonly [RegExp, GatewayMessage])[] = [
  [/No required SSL certificate was sent|The SSL certificate error/i, wantsCertificate],
  [/plain HTTP request was sent to HTTPS port/i, wantsHttps],
  [/speaking plain HTTP to an SSL-enabled server port/i, wantsHttps],
  [/Client sent an HTTP request to an HTTPS server/i, wantsHttps],
]

/** What the text of a 400 means that the service itself never saw; undefined for any other text. */
export function gatewayMessage(text: string): GatewayMessage | undefined {
  return sentences.find(([sentence]) => sentence.test(text))?.[1]
}
