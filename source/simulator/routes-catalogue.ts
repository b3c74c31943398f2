import { modelsBody, releaseBody } from './encode-catalogue.ts';
import { told } from './encode-envelope.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { latestOf } from './releases.ts';
import type { View } from './view.ts';

export const catalogueEndpoints: readonly Endpoint[] = [
	endpoint('models', 'GET /v1/models', (_, view) => ({ status: 200, json: modelsBody(view) })),
	endpoint('latest', 'GET /v1/platform/sandbox/version/latest', told(latestBody)),
];

function latestBody(view: View) {
	return releaseBody(view, latestOf(view.world.releases()));
}
