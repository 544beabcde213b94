import { Controller, Get } from '@nestjs/common';
import { NodeList } from '../../cluster/node-list.js';
import { NeedsRole } from '../../common/http/access/needs-role.decorator.js';
import { type NodeView, toNodeView } from './node-view.js';

/** The gateways on one database. */
@NeedsRole('operator')
@Controller('dashboard/api/nodes')
export class NodesController {
  constructor(private readonly nodes: NodeList) {}

  /** All nodes by id; none without `DATABASE_URL`. */
  @Get()
  async list(): Promise<{ readonly nodes: readonly NodeView[] }> {
    return { nodes: (await this.nodes.read()).map(toNodeView) };
  }
}
