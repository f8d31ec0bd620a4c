import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { PROJECT_ROOT } from './support/child-process.js';

const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), 'utf8');
const yamlAt = (path: string) => parse(read(path)) as unknown;

/** Read by the AWS client itself. */
const OF_AWS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
const known = () => [...read('.env.example').matchAll(/^#? ?([A-Z0-9_]+)=/gm)].map(([, name]) => name);
const KUBERNETES = 'docs/deploy/kubernetes';

describe('files to deploy with', () => {
  const GIVEN: Readonly<Record<string, () => object>> = {
    'compose.yaml': () => (yamlAt('compose.yaml') as Compose).services['bellwether-1'].environment,
    'kubernetes/settings.yaml': () => (yamlAt(`${KUBERNETES}/settings.yaml`) as Settings).data,
    'kubernetes/secret.example.yaml': () =>
      (yamlAt(`${KUBERNETES}/secret.example.yaml`) as Secrets).stringData,
  };
  for (const [file, given] of Object.entries(GIVEN)) {
    it(`${file} sets nothing that the service does not read`, () => {
      const names = Object.keys(given());

      expect(names).to.not.be.empty;
      expect(names.filter((name) => ![...known(), ...OF_AWS].includes(name))).to.deep.equal([]);
    });
  }

  it('what compose.yaml wants from .env is in the example of it', () => {
    const wanted = [...read('compose.yaml').matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name);
    const offered = [...read('docs/deploy/compose.env').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect([...new Set(wanted)].filter((name) => !offered.includes(name))).to.deep.equal([]);
    expect(wanted).to.not.be.empty;
  });

  it('the cluster gives a replica longer to end than it takes by its own settings', () => {
    const { data } = yamlAt(`${KUBERNETES}/settings.yaml`) as Settings;
    const { spec } = (yamlAt(`${KUBERNETES}/deployment.yaml`) as Deployment).spec.template;
    const own = Number(data['DRAIN_DELAY_MS']) + Number(data['SHUTDOWN_GRACE_MS']);
    expect(spec.terminationGracePeriodSeconds * 1000).to.be.greaterThan(own);
  });

  it('every manifest is named by the kustomization, and every one it names is there', () => {
    const { resources } = yamlAt(`${KUBERNETES}/kustomization.yaml`) as { resources: string[] };
    const there = readdirSync(join(PROJECT_ROOT, KUBERNETES)).filter((name) => name !== 'kustomization.yaml');
    const expected = there.map((name) => name.replace('.example', ''));
    expect([...resources].sort()).to.deep.equal([...new Set(expected)].sort());
  });

  it('what the image copies out of its build is there once it is built', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(
      ([, paths = '']) => paths.split(' ').map((path) => path.replace('/app/', '')),
    );
    expect(copied).to.include.members(['dist', 'node_modules', 'package.json']);
    expect(copied.filter((path) => !existsSync(join(PROJECT_ROOT, path)))).to.deep.equal([]);
    expect(read('Dockerfile'))
      .to.match(/^USER node$/m)
      .and.match(/^HEALTHCHECK /m);
  });
});

interface Compose {
  readonly services: { readonly 'bellwether-1': { readonly environment: object } };
}

interface Settings {
  readonly data: Readonly<Record<string, string>>;
}

interface Secrets {
  readonly stringData: object;
}

interface Deployment {
  readonly spec: {
    readonly template: { readonly spec: { readonly terminationGracePeriodSeconds: number } };
  };
}
