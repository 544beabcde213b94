import { type PatternTable } from '../kit/pattern-table.js';

/** Words that begin a line of code and are followed by a blank. */
const DECLARING_WORDS = [
  ...['import', 'export', 'const', 'let', 'var', 'async', 'await', 'class', 'interface', 'type', 'enum'],
  ...['private', 'public', 'protected', 'static', 'function', 'using', 'namespace', 'package', 'struct'],
  ...['def', 'elif', 'case', 'func', 'pub', 'fn', 'use', 'impl'],
];

/** First words of statements that only build files and databases have, in capitals. */
const STATEMENT_WORDS = ['FROM', 'RUN', 'COPY', 'SELECT', 'CREATE', 'INSERT', 'ALTER'];

/** Beginnings of lines that only code has, behind any indentation. */
export const CODE_STARTS: PatternTable = {
  before: /^[ \t]{0,60}/,
  alternatives: [
    ['declaration', new RegExp(`(?:${DECLARING_WORDS.join('|')}) `), '  export class Shelf {'],
    ['Python import', /from [\w.]{1,80} import/, 'from os.path import join'],
    ['control flow', /(?:return|else|try|catch|except)\b/, '    return total;'],
    ['condition in brackets', /(?:if|for|while|switch) ?\(/, 'if (total > 3) {'],
    ['Python loop', /for \w{1,40} in /, '    for name in names:'],
    ['preprocessor', /#include|#define/, '#include <stdio.h>'],
    // The lines of a task in a monorepo begin with the package, `@shop/cart:build:`.
    ['annotation', /@[A-Za-z](?![\w.-]{0,80}\/)/, '  @Injectable()'],
    // Bazel names targets `//shop/cart:test`.
    ['comment', /\/\/(?![\w.-]{1,80}\/)|\/\*|\*\/|\* |<!--|#!/, '  // Twice, since the first may be lost.'],
    ['tag', /<\/?[A-Za-z][\w.-]{0,40}[ >/]/, '<section class="a">'],
    ['Ruby end', /end$/, '  end'],
    ['build or database statement', new RegExp(`(?:${STATEMENT_WORDS.join('|')}) `), 'SELECT id FROM users'],
    ['own member', /self\.|this\./, '    self.total = 0'],
    ['call alone', /[\w.]{1,60}\([^)]{0,200}\);?$/, '  shelf.put(4);'],
    ['closing brackets', /[)}\]]{1,6}[;,]?$/, '  });'],
    ['style rule', /[.#@][\w-]{1,60}[^{}]{0,200}\{/, '.card > a {'],
  ],
};

/** Ends of lines, and whole lines, that code has more often than other texts do. */
export const CODE_ENDS: PatternTable = {
  alternatives: [
    ['open bracket or separator', /(?:[{};]|=>|\) ?\{|\(|\):|\[|,)[ \t\r]{0,4}$/, 'a = {'],
    ['indented assignment', /^[ \t]{1,60}[\w.]{1,60} [-+]?= /, '  total += 4'],
    ['call', /^[ \t]{0,60}[\w.]{1,60}\(.{0,300}\)[;,]?$/, 'put(shelf(1))'],
    ['end of a comment', /\*\/[ \t]{0,4}$/, 'and no more. */'],
  ],
};

/** First lines of source files. */
export const CODE_HEADS: PatternTable = {
  before: /^/,
  alternatives: [
    ['interpreter', /#!\//, '#!/usr/bin/env python3'],
    ['package', /package [\w.]{1,200};?$/, 'package org.example.shop;'],
    ['import', /import [\w.{*"']/, "import { a } from './a.js';"],
    ['Python import', /from [\w.]{1,80} import/, 'from os import path'],
    ['preprocessor', /#include|#ifndef/, '#ifndef SHELF_H'],
    ['comment', /\/\/ |\/\*/, '// Copyright'],
    ['PHP', /<\?php/, '<?php'],
    ['strict mode', /['"]use strict|use strict;/, "'use strict';"],
    ['Python encoding', /# -\*-/, '# -*- coding: utf-8 -*-'],
    ['style sheet', /@charset/, '@charset "utf-8";'],
    ['protocol buffers', /syntax = "/, 'syntax = "proto3";'],
  ],
};

/** Lines of YAML, TOML, INI files, properties and environments. */
export const CONFIG_LINES: PatternTable = {
  alternatives: [
    [
      'key and value',
      // Behind the address of an instruction stand its bytes.
      /^[ \t]{0,40}(?:- )?["']?[\w./@$-]{1,60}["']?[ \t]{0,20}(?::|=|:=)(?:[ \t](?!(?:[\da-f]{2} ){2})[^=]{0,400})?$/,
      '  replicas: 2',
    ],
    ['list item', /^[ \t]{0,40}- ["']?[\w./@$*{}-]{1,200}["']?$/, '  - src/*'],
    ['section', /^\[{1,2}["\w.:/ -]{1,120}\]{1,2}$/, '[remote "origin"]'],
    ['comment', /^[ \t]{0,20}[#;](?!\d)/, '# Ports'],
    ['environment variable', /^[A-Z_][A-Z0-9_]{1,60}=/, 'API_KEY=abc=='],
    ['quoted item', /^[ \t]{1,20}["'][^"']{0,200}["'],?$/, '  "es2024",'],
    ['end of a list', /^\],?$/, ']'],
    ['property', /^[ \t]{0,40}[\w.-]{1,60} ?=(?!>) ?[^=]{0,400}$/, 'server.port=8080'],
  ],
};

/** Times that lines of logs begin with. */
export const LINE_TIMES: PatternTable = {
  before: /^[[("]{0,2}/,
  alternatives: [
    ['date', /\d{4}[-/]\d\d[-/]\d\d/, '[2025-01-31 10:00:00] started'],
    ['time of day', /\d\d:\d\d:\d\d/, '10:00:00.123 started'],
    ['date of syslog', /[A-Z][a-z]{2} [ \d]\d \d\d:/, 'Jan  3 10:00:00 host started'],
    ['seconds or milliseconds since 1970', /\d{10,13}\b/, '1735689600 started'],
  ],
};
