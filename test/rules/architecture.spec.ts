import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { type Rule, RULES } from './architecture-rules.js';
import { type ParsedFile, parseFile } from './architecture-source.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

function readFolder(folder: string): ParsedFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .map((path) => parseFile(path, readFileSync(join(root, path), 'utf8')));
}

describe('the source', () => {
  const files = [...readFolder('src'), ...readFolder('test')];

  it.each(Object.entries<Rule>(RULES))('keeps the rule: %s', (_name, rule) => {
    expect(rule(files)).toEqual([]);
  });
});

/** For each rule, sources that break it and what it must say of them; and the nearest ones that do not. */
const EXAMPLES: Record<
  keyof typeof RULES,
  { bad: [Record<string, string>, string[]][]; good: Record<string, string> }
> = {
  'every folder of src has its place': {
    bad: [
      [
        { 'src/extras/a.ts': '', 'src/extras/b.ts': '' },
        ['src/extras: say what it may import in MAY_IMPORT, test/rules/architecture-rules.ts'],
      ],
    ],
    good: { 'src/chat/a.ts': '', 'src/main.ts': '' },
  },
  'imports point down': {
    bad: [
      [{ 'src/common/a.ts': "import { b } from '../chat/b.js';" }, ['src/common/a.ts imports from chat']],
      [
        { 'src/upstream/web/a.ts': "export * from '../../accounts/b.js';" },
        ['src/upstream/web/a.ts imports from accounts'],
      ],
      [
        { 'src/chat/a.ts': "const b = import('../dashboard/b.js');" },
        ['src/chat/a.ts imports from dashboard'],
      ],
      [
        { 'src/models/a.ts': "import { type B } from '../gateway.js';" },
        ['src/models/a.ts imports from src'],
      ],
    ],
    good: {
      'src/chat/a.ts':
        "import { b } from '../common/b.js'; import { c } from './dto/c.js'; import d from 'rxjs';",
      'src/app.module.ts': "import { b } from './dashboard/b.js';",
      'src/common/a.spec.ts': "import { b } from '../chat/b.js';",
    },
  },
  'there are no cycles': {
    bad: [
      [
        {
          'src/a.ts': "import './b.js';",
          'src/b.ts': "import './c.js';",
          'src/c.ts': "import type { B } from './b.js';",
        },
        ['src/b.ts -> src/c.ts -> src/b.ts'],
      ],
      [{ 'src/a.ts': "import './a.js';" }, ['src/a.ts -> src/a.ts']],
    ],
    good: {
      'src/a.ts': "import './b.js'; import './c.js';",
      'src/b.ts': "import './d.js';",
      'src/c.ts': "import './d.js'; // import './a.js'",
      'src/d.ts': '',
    },
  },
  'there are no barrels': {
    bad: [
      [{ 'src/chat/index.ts': 'export const a = 1;' }, ['src/chat/index.ts']],
      [{ 'src/chat/all.ts': "export * from './a.js';\nexport { b } from './b.js';" }, ['src/chat/all.ts']],
    ],
    good: { 'src/chat/a.ts': "export { b } from './b.js';\nexport const c = 1;", 'src/chat/empty.ts': '' },
  },
  'there is no forwardRef': {
    bad: [[{ 'src/a.ts': '\nconst a = forwardRef(() => B);' }, ['src/a.ts:2: forwardRef']]],
    good: { 'src/a.ts': "// forwardRef\nconst a = 'forwardRef';" },
  },
  'imports are relative, at most three folders up, and name the file': {
    bad: [
      [{ 'src/a/b/c/d/e.ts': "import '../../../../f.js';" }, ['src/a/b/c/d/e.ts: ../../../../f.js']],
      [
        { 'src/a.ts': "import './b'; import './c.ts'; import '.';" },
        ['src/a.ts: ./b', 'src/a.ts: ./c.ts', 'src/a.ts: .'],
      ],
      [{ 'src/a.ts': "import 'src/b.js'; import '@/c.js';" }, ['src/a.ts: src/b.js', 'src/a.ts: @/c.js']],
    ],
    good: { 'src/a/b/c/d.ts': "import '../../../e.js'; import './f.js'; import '@nestjs/core';" },
  },
  'only src/main.ts reads the environment': {
    bad: [
      [{ 'src/a.ts': 'const a = process.env.PORT;' }, ['src/a.ts:1: process.env']],
      [{ 'src/a.ts': "const a = globalThis.process['env'];" }, ['src/a.ts:1: process.env']],
      [{ 'src/a.ts': 'const { env: all } = process;' }, ['src/a.ts:1: process.env']],
      [{ 'src/a.ts': "import { env as all } from 'node:process';" }, ['src/a.ts:1: process.env']],
    ],
    good: { 'src/main.ts': 'const a = process.env;', 'src/a.ts': 'const a = other.env; // process.env' },
  },
  'pure logic knows no framework': {
    bad: [
      [
        { 'src/chat/prompt/a.ts': "import { Injectable } from '@nestjs/common';" },
        ['src/chat/prompt/a.ts: @nestjs/common'],
      ],
      [
        { 'src/accounts/registry/cooldown.ts': "import type { Request } from 'express';" },
        ['src/accounts/registry/cooldown.ts: express'],
      ],
      [
        { 'src/chat/completion/stages/a.stage.ts': "import 'puppeteer';" },
        ['src/chat/completion/stages/a.stage.ts: puppeteer'],
      ],
    ],
    good: {
      'src/accounts/registry/account-registry.ts': "import { Injectable } from '@nestjs/common';",
      'src/chat/completion/output/sse-output.ts': "import { type Response } from 'express';",
      'src/chat/echo/a.ts': "import { Observable } from 'rxjs';",
    },
  },
  'time and randomness are passed in': {
    bad: [
      [
        { 'src/chat/a.ts': 'Date.now();\nnew Date();\nMath.random();\nperformance.now();' },
        [
          'src/chat/a.ts:1: Date.now',
          'src/chat/a.ts:2: new Date',
          'src/chat/a.ts:3: Math.random',
          'src/chat/a.ts:4: performance.now',
        ],
      ],
      [{ 'src/upstream/decoding/a.ts': 'setTimeout(f, 1);' }, ['src/upstream/decoding/a.ts:1: timer']],
    ],
    good: {
      'src/chat/a.ts': 'new Date(0); clock.now(); setTimeout(f, 1); response.setTimeout(1);',
      'src/common/time/clock.ts': 'Date.now();',
      'src/chat/completion/stages/a.stage.ts': 'response.setTimeout(1); // setTimeout(f)',
    },
  },
  'what decides has a test beside it': {
    bad: [[{ 'src/chat/a.stage.ts': '', 'src/b.stage.spec.ts': '' }, ['src/chat/a.stage.ts']]],
    good: { 'src/chat/a.stage.ts': '', 'src/chat/a.stage.spec.ts': '', 'src/chat/b.service.ts': '' },
  },
  'providers are told apart by what they are, not by name': {
    bad: [
      [
        { 'src/chat/a.ts': "const a = PROVIDER === 'web' || b;" },
        ["src/chat/a.ts: PROVIDER === 'web'; upstream-kind.ts tells what it is"],
      ],
    ],
    good: { 'src/chat/a.ts': 'isApi(settings); switch (PROVIDER) {}' },
  },
  'nothing speaks of one machine': {
    bad: [
      [{ 'src/a.ts': "const a = '/home/me/data';" }, ['src/a.ts: /home/me']],
      [{ 'src/a.ts': '// see /Users/me/notes' }, ['src/a.ts: /Users/me']],
    ],
    good: { 'src/a.ts': "const a = 'https://example.org/home/me'; const b = './work/x'; // and/or /home" },
  },
};

describe.each(Object.entries(EXAMPLES))('the rule: %s', (name, { bad, good }) => {
  const rule: Rule = RULES[name as keyof typeof RULES];
  const parsed = (sources: Record<string, string>): ParsedFile[] =>
    Object.entries(sources).map(([path, text]) => parseFile(path, text));

  it.each(bad)('is broken by %j', (sources, expected) => {
    expect(rule(parsed(sources))).toEqual(expected);
  });

  it('is kept by what is near', () => {
    expect(rule(parsed(good))).toEqual([]);
  });
});
