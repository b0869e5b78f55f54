/** What an editor or a pager and its plug-ins need not know: the key, and the passwords of proxies. */
export function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = {}
  for (const [name, value = ''] of Object.entries(env)) {
    if (/^PAYROLL_.*(KEY|TOKEN|SECRET|PASSWORD|AUTHORIZATION)/i.test(name)) continue
    // `http://name:password@proxy:3128` becomes `http://proxy:3128`; PAYROLL_… may hold an address too.
    const mayHoldPassword = /(^|_)proxy$/i.test(name) || name.startsWith('PAYROLL_')
    kept[name] = mayHoldPassword ? value.replace(/^([a-z][a-z\d+.-]*:\/\/)?[^/]*@/i, '$1') : value
  }
  return kept
}
