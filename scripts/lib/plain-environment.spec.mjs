import vm from 'node:vm';
import { expect, it } from '@jest/globals';
import PlainEnvironment from './plain-environment.mjs';

const PROJECT = { projectConfig: { globals: {}, testEnvironmentOptions: {} } };

it('has a global object that nothing stands in front of', async () => {
  const { createContext } = vm;
  const environment = new PlainEnvironment(PROJECT, {});
  expect(environment.getVmContext()).toBe(environment.global);
  expect(vm.createContext).toBe(createContext);
  expect(environment.global.process.pid).toBe(process.pid);
  await environment.teardown();
});
