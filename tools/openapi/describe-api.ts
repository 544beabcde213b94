import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsFromEnvironment } from '../../src/common/config/settings-loader.js';
import { projectFolder } from '../../src/common/files/project-folder.js';
import { PROJECT_VERSION } from '../../src/common/files/project-version.js';
import { RouteCatalog } from '../../src/common/http/answer/route-catalog.js';
import { createGateway } from '../../src/gateway.js';
import { AnswerTypes } from './answer-types.js';
import { openApiDocument } from './openapi-document.js';
import { RouteComments } from './route-comments.js';

/** The API of a gateway that is made for it. */
export async function describeApi(): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const settings = {
      DATA_DIR: folder,
      PROVIDER: 'openai',
      UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1',
      LOG_LEVEL: 'silent',
    };
    const gateway = await createGateway(settingsFromEnvironment(settings, folder));
    await gateway.init();
    const comments = new RouteComments(projectFolder());
    const types = new AnswerTypes(projectFolder());
    const document = openApiDocument(gateway.get(RouteCatalog), comments, types, PROJECT_VERSION);
    await gateway.close();
    return document;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
