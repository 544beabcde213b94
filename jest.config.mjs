import { availableParallelism } from 'node:os';

const common = {
  // The folder for temporary files, where it would be, may be in memory.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  runner: '<rootDir>/scripts/lib/crash-runner.mjs',
  testEnvironment: '<rootDir>/scripts/lib/plain-environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        module: { type: 'es6' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
      },
    ],
  },
};

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/{src,tools}/**/*.spec.ts', '<rootDir>/{client,scripts}/**/*.spec.mjs'],
      testPathIgnorePatterns: ['/node_modules/', '\\.property\\.spec\\.'],
    },
    // Thousands of random cases each; they take seconds.
    {
      ...common,
      displayName: 'properties',
      testMatch: ['<rootDir>/{src,tools}/**/*.property.spec.ts'],
    },
    // The source as a whole: imports, sizes, names, documents.
    {
      ...common,
      displayName: 'rules',
      testMatch: ['<rootDir>/test/rules/*.spec.{ts,mjs}'],
    },
    // Corpora run through the text engines, held to a score.
    {
      ...common,
      displayName: 'scores',
      testMatch: ['<rootDir>/test/{compression,echo,rerun,structured-outputs,tool-calls}/**/*.spec.ts'],
    },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/{src,test}/**/*.e2e-spec.ts', '<rootDir>/scripts/**/*.e2e-spec.mjs'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/faults/'],
    },
    // Slow by nature: what happens when things break, hang or flood. `npm run test:faults`.
    {
      ...common,
      displayName: 'faults',
      testMatch: ['<rootDir>/test/faults/**/*.e2e-spec.ts'],
    },
  ],
  // A guard against hanging, not a limit: the slowest test takes 300 s where ten processes share each core.
  testTimeout: 600_000,
  // Tests wait for a browser or a socket most of the time, so two cores take two; each browser keeps another core busy.
  maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
  // Each file leaves some 8 MB behind in its process, which would come to 3 GB.
  workerIdleMemoryLimit: '1GB',
};
