import { editDistance } from '../../../common/text/edit-distance.js';
import { type ClientTraffic, groupedBy, type OfferedModel, type Symptom } from '../client-finding.js';

const LEAST = 2;
/** Each comparison takes microseconds, and an upstream may list thousands. */
const MOST_COMPARED = 200;

/** The client asks for a model that the gateway does not offer. */
export function unknownModel({ failed }: ClientTraffic, models: readonly OfferedModel[]): Symptom[] {
  const groups = groupedBy(failed, ({ error, model }) =>
    error?.reason === 'model_not_found' ? model : undefined,
  );
  return [...groups]
    .filter(([, requests]) => requests.length >= LEAST)
    .map(([name, requests]) => {
      const nearest = nearestModel(name, models);
      return {
        symptom: `It asks for the model '${name}', which is not offered.`,
        cure: `${nearest === undefined ? 'Name one that is offered in it' : 'Name this one in it'}, or make '${name}' an alias of a model.`,
        ...(nearest !== undefined && { line: nearest }),
        requests,
      };
    });
}

/** The id that is written most alike; the first one if none is. */
export function nearestModel(name: string, models: readonly OfferedModel[]): string | undefined {
  const wanted = name.toLowerCase();
  const [best] = models
    .slice(0, MOST_COMPARED)
    .map(({ id }) => ({
      id,
      distance: editDistance(wanted, id.toLowerCase()) / Math.max(wanted.length, id.length),
    }))
    .filter(({ distance }) => distance <= 0.5)
    .toSorted((a, b) => a.distance - b.distance);
  return best?.id ?? models[0]?.id;
}
