/** Where a Moodle answers, from the address of its site. */
export function moodleAt(site: string) {
  const root = site.trim().replace(/\/+$/, '');
  return {
    issuer: root,
    auth_login_url: `${root}/mod/lti/auth.php`,
    auth_token_url: `${root}/mod/lti/token.php`,
    key_set_url: `${root}/mod/lti/certs.php`,
  };
}

/** Browsers take the machine itself for as safe as https. */
export function isLocal(domain: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(domain);
}
