// Has the tools that would run the deployment files check them, each where it is installed.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/processes.mjs';

const folder = mkdtempSync(join(tmpdir(), 'gateway-deploy-'));
try {
  const manifests = join(folder, 'k8s');
  cpSync(join(root, 'deploy', 'k8s'), manifests, { recursive: true });
  // What an operator adds.
  cpSync(join(manifests, 'secret.env.example'), join(manifests, 'secret.env'));
  writeFileSync(join(manifests, 'site.json'), '{}');
  const checks = [
    {
      what: 'deploy/haproxy/haproxy.cfg',
      ways: [['haproxy', '-c', '-q', '-f', 'deploy/haproxy/haproxy.cfg']],
    },
    {
      what: 'deploy/k8s',
      ways: [
        ['kubectl', 'kustomize', manifests],
        ['kustomize', 'build', manifests],
      ],
    },
    {
      what: 'compose.cluster.yaml',
      ways: [['docker', 'compose', '-f', 'compose.cluster.yaml', 'config', '--quiet']],
    },
  ];
  for (const check of checks) {
    report(check.what, firstThatRuns(check.ways));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The outcome of the first command whose program is installed. */
function firstThatRuns(ways) {
  for (const [program, ...args] of ways) {
    const env = { ...process.env, API_KEY: 'k', SECRET_KEY: 's', DB_PASSWORD: 'p', SITE_RECIPE: 'site.json' };
    const { error, status, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', env });
    // Docker without its plugin knows neither the command nor its options.
    if (error === undefined && !/^(docker: )?unknown/.test(stderr)) {
      return { program, isRight: status === 0, stderr };
    }
  }
  return undefined;
}

function report(what, outcome) {
  if (outcome === undefined) {
    console.log(`–  ${what}: not checked, since no tool for it is installed`);
  } else if (outcome.isRight) {
    console.log(`✓  ${what}: ${outcome.program}`);
  } else {
    console.log(`✗  ${what}: ${outcome.program}\n${outcome.stderr}`);
    process.exitCode = 1;
  }
}
