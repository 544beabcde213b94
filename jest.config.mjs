const common = {
  testEnvironment: 'node',
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

/** Specs beside the code that talk to a real site over HTTP: by their nature end-to-end. */
const OVER_HTTP = 'src/upstream/sandbox/sandbox-(site|markers|sockets)\\.spec\\.ts$';

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/{src,test}/**/*.spec.ts', '<rootDir>/{client,scripts}/**/*.spec.mjs'],
      testPathIgnorePatterns: ['/node_modules/', OVER_HTTP],
    },
    {
      ...common,
      displayName: 'e2e',
      testMatch: [
        '<rootDir>/test/*.e2e-spec.ts',
        '<rootDir>/scripts/**/*.e2e-spec.mjs',
        '<rootDir>/src/upstream/sandbox/sandbox-{site,markers,sockets}.spec.ts',
      ],
    },
    // Slow by nature: what happens when things break, hang or flood. `npm run test:faults`.
    {
      ...common,
      displayName: 'faults',
      testMatch: ['<rootDir>/test/faults/*.e2e-spec.ts'],
    },
  ],
  // A real browser start under load is slow; no test waits on the clock for its result.
  testTimeout: 30_000,
  // Most tests wait for a browser or a socket; a core kept free would double the time on two.
  maxWorkers: '100%',
};
