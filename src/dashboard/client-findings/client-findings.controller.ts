import { Controller, Get } from '@nestjs/common';
import { NeedsRole } from '../../common/http/access/needs-role.decorator.js';
import { ModelCatalog } from '../../models/model-catalog.js';
import { type ClientFinding, clientFindings } from './client-findings.js';
import { ClientTrafficReader } from './client-traffic-reader.js';

interface ClientFindings {
  /** The most frequent first; at most 30. */
  readonly findings: readonly ClientFinding[];
}

/** Faults in the set-up of clients, as the requests of the last 24 hours show them, each with its cure. */
@NeedsRole('operator')
@Controller('dashboard/api/clients')
export class ClientFindingsController {
  private reading: Promise<ClientFindings> | undefined;

  constructor(
    private readonly traffic: ClientTrafficReader,
    private readonly catalog: ModelCatalog,
  ) {}

  /** Those who ask at once share one reading of the log. */
  @Get()
  read(): Promise<ClientFindings> {
    this.reading ??= this.find().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async find(): Promise<ClientFindings> {
    const traffic = await this.traffic.read();
    const models = this.catalog.list().map(({ id, contextWindow, isWindowAssumed }) => ({
      id,
      contextWindow: isWindowAssumed ? undefined : contextWindow,
    }));
    return { findings: clientFindings(traffic, models) };
  }
}
