/** What a platform has to be told about us. */
export function addressesAt(origin: string) {
  return {
    launch: `${origin}/lti/launch`,
    login: `${origin}/lti/login`,
    keys: `${origin}/lti/jwks.json`,
    oldLaunch: `${origin}/lti/v1p1/launch`,
  };
}

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
