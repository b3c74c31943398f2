import { latestOf, type Release } from '../world/releases.ts';
import {
	type AnswerContext,
	createEndpoint,
	createRecordHandler,
	type Endpoint,
} from './endpoint.ts';

export const catalogueEndpoints: readonly Endpoint[] = [
	createEndpoint('models', 'GET /v1/models', (_, context) => ({
		status: 200,
		json: modelsBody(context),
	})),
	createEndpoint(
		'latest',
		'GET /v1/platform/sandbox/version/latest',
		createRecordHandler(latestReleaseBody),
	),
];

function latestReleaseBody(context: AnswerContext) {
	return releaseBody(context, latestOf(context.world.releases()));
}

function releaseBody({ shapes }: AnswerContext, release: Release): object {
	const { version, title, description, changes, sha, releasedAt } = release;
	if (shapes.version === 'changelog') {
		return { version, package: 'opensandbox', changelog: { title, description, changes } };
	}
	return { version, channel: 'stable', date: new Date(releasedAt).toISOString(), title, sha };
}

const modelRecord = (
	id: string,
	owned_by: string,
	context_window: number,
	input: number,
	output: number,
) => ({ id, object: 'model', owned_by, context_window, pricing: { input, output } });

/** The models, with their context window in tokens and their prices per million tokens. */
const modelRecords = [
	modelRecord('lantern-large', 'lighthouse', 400_000, 3, 15),
	modelRecord('lantern-small', 'lighthouse', 200_000, 0.25, 1.25),
	modelRecord('lantern-mini', 'lighthouse', 128_000, 0.05, 0.4),
	modelRecord('sextant-2', 'meridian', 1_000_000, 1.25, 10),
	modelRecord('sextant-2-flash', 'meridian', 1_000_000, 0.3, 2.5),
	modelRecord('plumb-70b', 'open-water', 131_072, 0.59, 0.79),
	modelRecord('plumb-8b', 'open-water', 131_072, 0.05, 0.08),
	modelRecord('halyard-coder', 'rigging', 262_144, 0.4, 1.6),
];

function modelsBody({ shapes }: AnswerContext): object {
	switch (shapes.models) {
		case 'openai':
			return { object: 'list', data: modelRecords };
		case 'models':
			return { models: modelRecords };
		case 'bare':
			return modelRecords;
	}
}
