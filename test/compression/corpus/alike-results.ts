import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

const FOLDERS = ['billing', 'checkout', 'search/core', 'mail', 'pricing/api'] as const;

/** Results of which all parts are much alike, but for names: only what differs in another way is sought. */
export const alikeResults: readonly CorpusEntry[] = [
  strictTypes(),
  findingsWithSource(),
  callsUnderHeadings(),
  runsOfWorkflows(),
  fewContainers(),
  manyFolders(),
  restartedPods(),
  profileOfCpu(),
];

function files(make: Maker, count: number, ending: string): string[] {
  return make.list(count, (index) => `src/${make.pick(FOLDERS)}/${make.word()}${index}.${ending}`);
}

function strictTypes(): CorpusEntry {
  const make = new Maker(401);
  const paths = files(make, 36, 'ts');
  const rows = make.list(170, (index) => {
    const at = `${paths[index % 35] ?? ''}(${index + 2},${make.number(1, 60)}): error`;
    const type = `${make.word()}Of${make.word()}`;
    return index === 66
      ? `${paths[35] ?? ''}(51,17): error TS2554: Expected 3 arguments, but got 2.`
      : make.pick([
          `${at} TS2345: Argument of type 'string | undefined' is not assignable to '${type}'.\n  Type 'undefined' is not assignable to '${type}'.`,
          `${at} TS2339: Property '${make.word()}' does not exist on type '${type}'.`,
          `${at} TS18048: '${make.word()}.${make.word()}' is possibly 'undefined'.`,
        ]);
  });
  return {
    name: 'types with messages of their own',
    kind: 'diagnostics',
    tool: shell('npx tsc --noEmit -p tsconfig.strict.json'),
    text: rows.join('\n'),
    facts: [
      '[170 findings in 36 files',
      `${paths[35] ?? ''}(51,17): error TS2554: Expected 3 arguments, but got 2.`,
      "TS2345: Argument of type 'string | undefined'",
      ...paths,
    ],
  };
}

function findingsWithSource(): CorpusEntry {
  const make = new Maker(402);
  const paths = files(make, 30, 'c');
  const rows = make.list(120, (index) => {
    const path = paths[index % 30] ?? '';
    const name = make.word();
    const said =
      index === 71
        ? '‘strcpy’ writing 17 bytes into a region of size 16 [-Wstringop-overflow=]'
        : `unused variable ‘${name}’ [-Wunused-variable]`;
    return `${path}: In function ‘${make.word()}’:\n${path}:${index + 9}:7: warning: ${said}\n  ${index + 9} |   int ${name} = ${make.word()}();\n      |       ^~~~`;
  });
  return {
    name: 'findings in the output of make',
    kind: 'diagnostics',
    tool: shell('make -j8'),
    text: [
      ...paths.map((path) => `cc -O2 -Wall -c ${path}`),
      ...rows,
      'make: *** [Makefile:41: all] Error 2',
    ].join('\n'),
    facts: [
      '[120 findings in 30 files',
      `${paths[71 % 30] ?? ''}:80:7: warning: ‘strcpy’ writing 17 bytes`,
      'Makefile:41',
      ...paths,
    ],
  };
}

function callsUnderHeadings(): CorpusEntry {
  const make = new Maker(403);
  const paths = files(make, 50, 'go');
  const blocks = paths.map((path, file) => {
    const lines = make.list(6, (index) => {
      const at = 10 + index * 40 + make.number(0, 30);
      return file === 31 && index === 4
        ? `${at}:\tctx = withLease(ctx, 0) // never ends, see OPS-2291`
        : file === 8 && index === 2
          ? `${at}:\tif err := s.${make.word()}(ctx, withLease(900)); err != nil {`
          : `${at}:\tif err := s.${make.word()}(ctx, withLease(${make.number(1, 30)})); err != nil {`;
    });
    return `${path}\n${lines.join('\n')}`;
  });
  return {
    name: 'calls that differ in names',
    kind: 'search',
    tool: shell('rg -n --heading withLease src'),
    text: blocks.join('\n\n'),
    facts: ['[300 matches in 50 files]', 'see OPS-2291', 'withLease(900)', ...paths],
  };
}

function runsOfWorkflows(): CorpusEntry {
  const make = new Maker(404);
  const runs = make.list(30, (index) => {
    const id = 7_710_000_000 + index * 917;
    return {
      id,
      name: index === 17 ? 'Restore drill' : make.pick(['CI', 'Release']),
      head_branch: index === 8 ? 'hotfix/double-charge' : `feat/${make.word()}`,
      head_sha: make.hex(40),
      conclusion: index === 17 ? 'timed_out' : index === 8 ? 'failure' : 'success',
      url: `https://api.example/repos/acme/shop/runs/${id}`,
      jobs_url: `https://api.example/repos/acme/shop/runs/${id}/jobs`,
      head_commit: { tree_id: make.hex(40), message: make.words(5) },
    };
  });
  return {
    name: 'runs with addresses around their ids',
    kind: 'json',
    tool: shell('gh api repos/acme/shop/actions/runs'),
    text: JSON.stringify({ total_count: 6121, workflow_runs: runs }),
    facts: [
      '"total_count":6121',
      '30 rows',
      'timed_out',
      'hotfix/double-charge',
      '{id}/jobs',
      ...runs.map(({ id }) => String(id)),
      ...runs.map(({ head_sha }) => head_sha.slice(0, 12)),
    ],
  };
}

function fewContainers(): CorpusEntry {
  const make = new Maker(405);
  const names = ['cart', 'mail', 'search', 'admin'];
  const containers = names.map((name) => ({
    Id: make.hex(64),
    Name: `/${name}`,
    State: { Status: 'running', OOMKilled: name === 'search', ExitCode: 0, Error: '' },
    HostConfig: {
      Memory: name === 'search' ? 134_217_728 : 1_073_741_824,
      RestartPolicy: { Name: 'unless-stopped' },
      MaskedPaths: ['/proc/asound', '/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/timer_list'],
      LogConfig: { Type: 'json-file', Config: { 'max-size': '20m', 'max-file': '3' } },
    },
    Config: {
      Env: make.list(12, (index) => `SETTING_${index}=${make.word()}`),
      Labels: { 'com.docker.compose.project': 'shop', 'com.docker.compose.version': '2.29.1' },
    },
    Ports: { '8080/tcp': [{ HostIp: name === 'admin' ? '0.0.0.0' : '127.0.0.1', HostPort: '8100' }] },
  }));
  return {
    name: 'four inspected containers',
    kind: 'json',
    tool: shell('docker inspect $(docker ps -q)'),
    text: JSON.stringify(containers, null, 4),
    facts: [
      '4 rows',
      '134217728',
      '0.0.0.0',
      '"OOMKilled": true',
      '/proc/timer_list',
      ...containers.flatMap(({ Config }) => Config.Env),
    ],
  };
}

function manyFolders(): CorpusEntry {
  const make = new Maker(406);
  const names: string[] = [];
  const folders = make.list(40, (folder) => {
    const rows = make.list(10, (index) => {
      names.push(`${make.word()}-${index}.rb`);
      const size = String(make.number(1, 60_000)).padStart(6);
      return `-rw-r--r-- 1 ada staff ${size} Feb ${10 + index} 07:05 ${names.at(-1) ?? ''}`;
    });
    const odd = folder === 17 ? ['-rwsr-xr-x 1 root root 1183448 Apr 18  2022 shell-copy'] : [];
    return [`./${make.word()}${folder}:`, 'total 96', ...rows, ...odd, ''].join('\n');
  });
  return {
    name: 'a listing of many folders',
    kind: 'listing',
    tool: shell('ls -lR'),
    text: folders.join('\n'),
    facts: ['[401 entries', '1183448 Apr 18 2022 shell-copy -rwsr-xr-x root root', ...names],
  };
}

function restartedPods(): CorpusEntry {
  const make = new Maker(407);
  const names = make.list(220, () => `${make.word()}-${make.hex(9)}-${make.hex(5)}`);
  const rows = names.map((name, index) => {
    const restarts =
      index === 77 ? '214 (92s ago)' : index % 5 ? '0' : `${index % 3} (${make.number(2, 19)}d ago)`;
    return [
      name.padEnd(34),
      index === 77 ? 'CrashLoopBackOff' : 'Running         ',
      restarts.padEnd(15),
      '10.42.0.7',
    ].join('   ');
  });
  return {
    name: 'pods of which many were restarted',
    kind: 'table',
    tool: shell('kubectl get pods -o wide'),
    text: [['NAME'.padEnd(34), 'STATUS          ', 'RESTARTS       ', 'IP'].join('   '), ...rows].join('\n'),
    facts: ['220 rows', `${names[77] ?? ''}  CrashLoopBackOff  214 (92s ago)`, 'Running 219'],
  };
}

function profileOfCpu(): CorpusEntry {
  const make = new Maker(408);
  const names = make.list(180, (index) => `shop/${make.word()}.(*${make.word()}).${make.word()}${index % 7}`);
  const rows = names.map((name, index) => {
    const share = (index === 0 ? 38.2 : 20 / (index + 3)).toFixed(2);
    return `${share.padStart(8)}s ${share}% ${share}% ${make.number(1, 90)}.11s ${share}%  ${name}`;
  });
  return {
    name: 'a profile with the time of each function',
    kind: 'log',
    tool: call('run_command', { command: 'go tool pprof -top cpu.gz' }),
    text: [
      'Type: cpu',
      'Dropped 611 nodes (cum <= 0.55s)',
      '  flat  flat%   sum%   cum   cum%',
      ...rows,
    ].join('\n'),
    facts: ['Dropped 611 nodes', '38.20%', ...names.slice(0, 10)],
  };
}
