import type { Computer } from '../world/computer.ts';
import { latestOf } from '../world/releases.ts';
import {
	computerRecord,
	missingStatusBody,
	portRecord,
	statusBody,
	statusWordOf,
} from './encode-computer.ts';
import { isCursor, listAnswer } from './encode-list.ts';
import {
	type AnswerContext,
	createEndpoint,
	type Endpoint,
	type EndpointRequest,
	type EndpointResult,
	fieldOf,
	inEnvelope,
	invalidRequest,
} from './endpoint.ts';

/** The id of another person's computer. Requests for it are answered with status 403. */
export const computerIdOfStranger = 'sb_strangers0001';

const listPath = '/v1/platform/sandbox';
const computerPath = `${listPath}/:id`;

export const computerEndpoints: readonly Endpoint[] = [
	createEndpoint('create', `POST ${listPath}`, createAnswer, 'create'),
	createEndpoint('list', `GET ${listPath}`, listHandler),
	createEndpoint('detail', `GET ${computerPath}`, withComputer(detailAnswer)),
	createEndpoint('status', `GET ${computerPath}/status`, statusAnswer, 'status'),
	createEndpoint(
		'start',
		`POST ${computerPath}/start`,
		withComputer(createOperationHandler('start')),
	),
	createEndpoint('stop', `POST ${computerPath}/stop`, withComputer(createOperationHandler('stop'))),
	createEndpoint(
		'restart',
		`POST ${computerPath}/restart`,
		withComputer(createOperationHandler('restart')),
	),
	createEndpoint(
		'delete',
		`DELETE ${computerPath}`,
		withComputer(createOperationHandler('delete')),
	),
	createEndpoint('update', `POST ${computerPath}/update`, withComputer(updateAnswer)),
	createEndpoint(
		'publish',
		`POST ${computerPath}/preview/start`,
		withComputer(createPortHandler('publish')),
	),
	createEndpoint(
		'unpublish',
		`POST ${computerPath}/preview/stop`,
		withComputer(createPortHandler('unpublish')),
	),
];

function createAnswer(
	{ body }: EndpointRequest,
	{ world, shapes, now }: AnswerContext,
): EndpointResult {
	if (fieldOf(body, 'provider') !== 'opensandbox') {
		return invalidRequest('provider must be "opensandbox"');
	}
	const name = fieldOf(body, 'name');
	if (name !== undefined && (typeof name !== 'string' || name === '' || name.length > 100)) {
		return invalidRequest('name must be a text of 1 to 100 characters');
	}
	const outcome = world.create(name);
	if ('refused' in outcome) return outcome;
	const data = {
		sandbox_id: outcome.done.id,
		name: outcome.done.name,
		status: statusWordOf(outcome.done, shapes),
		stage: 'creating',
		created_at: new Date(now).toISOString(),
	};
	switch (shapes.create) {
		case '200':
			return { status: 200, json: { data } };
		case '201':
			return { status: 201, json: { success: true, data, created: true } };
		case '202':
			return { status: 202, json: { success: true, data, created: true, provisioning: true } };
	}
}

function listHandler({ query }: EndpointRequest, context: AnswerContext): EndpointResult {
	const cursor = query('cursor');
	if (cursor !== undefined && !isCursor(cursor))
		return invalidRequest('cursor was not issued by this platform');
	return listAnswer(context, cursor) ?? refusedAsMissing;
}

function statusAnswer(request: EndpointRequest, context: AnswerContext): EndpointResult {
	const result = withComputer((_, computer) => ({
		status: 200,
		json: statusBody(context, computer),
	}))(request, context);
	const isMissing = 'refused' in result && result.refused.status === 404;
	return isMissing && context.shapes.missingStatus === 'plain'
		? { status: 404, json: missingStatusBody() }
		: result;
}

const refusedAsMissing = {
	refused: { status: 404, code: 'not_found', message: 'There is no such computer' },
};
const refusedAsForeign = {
	refused: { status: 403, code: 'forbidden', message: 'This computer belongs to somebody else' },
};

/** Creates a handler that finds the computer in the path, and answers 404 if it does not exist. */
function withComputer(
	answer: (context: AnswerContext, computer: Computer, request: EndpointRequest) => EndpointResult,
) {
	return (request: EndpointRequest, context: AnswerContext): EndpointResult => {
		const id = request.param('id');
		if (id === computerIdOfStranger) return refusedAsForeign;
		const deletedComputers =
			context.shapes.deleted === 'archived' ? context.world.deletedComputers() : [];
		const computer =
			context.world.find(id) ?? deletedComputers.find(deletedComputer => deletedComputer.id === id);
		return computer ? answer(context, computer, request) : refusedAsMissing;
	};
}

function detailAnswer(context: AnswerContext, computer: Computer): EndpointResult {
	const record = computerRecord(context, computer, context.shapes.detailRecord);
	return { status: 200, json: inEnvelope(record, context.shapes.detail) };
}

const messagesByOperation = {
	start: 'The computer is starting',
	stop: 'The computer is stopping',
	restart: 'The computer is restarting',
	delete: 'The computer and its data are erased',
};

function createOperationHandler(operation: keyof typeof messagesByOperation) {
	return (context: AnswerContext, computer: Computer): EndpointResult => {
		const outcome = context.world.operate(operation, computer);
		if ('refused' in outcome) return outcome;
		switch (context.shapes.acknowledgement) {
			case 'message':
				return { status: 200, json: { success: true, message: messagesByOperation[operation] } };
			case 'record':
				return detailAnswer(context, outcome.done);
			case 'empty':
				return { status: 204 };
		}
	};
}

function updateAnswer(
	{ world, shapes }: AnswerContext,
	computer: Computer,
	{ body }: EndpointRequest,
): EndpointResult {
	const version = fieldOf(body, 'version');
	if (version === undefined && shapes.update === 'required')
		return invalidRequest('version is required');
	if (typeof version !== 'string' && version !== undefined)
		return invalidRequest('version must be text');
	const targetVersion = version ?? latestOf(world.releases()).version;
	const outcome = world.operate('update', computer, { version: targetVersion });
	if ('refused' in outcome) return outcome;
	const message = `Updating to version ${targetVersion}`;
	return { status: 200, json: { success: true, started: true, message, targetVersion } };
}

function createPortHandler(operation: 'publish' | 'unpublish') {
	return (
		context: AnswerContext,
		computer: Computer,
		{ body }: EndpointRequest,
	): EndpointResult => {
		const port = fieldOf(body, 'port');
		if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
			return invalidRequest('port must be a whole number from 1 to 65535');
		}
		const outcome = context.world.operate(operation, computer, { port });
		if ('refused' in outcome) return outcome;
		const isRecord = operation === 'publish' && context.shapes.publish === 'record';
		return {
			status: 200,
			json: isRecord
				? inEnvelope(portRecord(context, computer, port), context.shapes.envelope)
				: { success: true, message: `Port ${port} is ${operation}ed` },
		};
	};
}
