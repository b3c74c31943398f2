import type { Computer } from './computer.ts';
import { strangersComputer } from './demo-account.ts';
import { portRecord, recordOf, statusWord } from './encode-computer.ts';
import { isCursor, listAnswer } from './encode-list.ts';
import { missingStatusBody, statusBody } from './encode-status.ts';
import { wrapped } from './encode-style.ts';
import {
	type AnswerContext,
	type Call,
	type Endpoint,
	type EndpointResult,
	endpoint,
	fieldOf,
	invalidRequest,
} from './endpoint.ts';
import { latestOf } from './releases.ts';

const list = '/v1/platform/sandbox';
const one = `${list}/:id`;

export const computerEndpoints: readonly Endpoint[] = [
	endpoint('create', `POST ${list}`, createAnswer, 'create'),
	endpoint('list', `GET ${list}`, listHandler),
	endpoint('detail', `GET ${one}`, withComputer(detailAnswer)),
	endpoint('status', `GET ${one}/status`, statusAnswer, 'status'),
	endpoint('start', `POST ${one}/start`, withComputer(operationHandler('start'))),
	endpoint('stop', `POST ${one}/stop`, withComputer(operationHandler('stop'))),
	endpoint('restart', `POST ${one}/restart`, withComputer(operationHandler('restart'))),
	endpoint('delete', `DELETE ${one}`, withComputer(operationHandler('delete'))),
	endpoint('update', `POST ${one}/update`, withComputer(updateAnswer)),
	endpoint('publish', `POST ${one}/preview/start`, withComputer(portHandler('publish'))),
	endpoint('unpublish', `POST ${one}/preview/stop`, withComputer(portHandler('unpublish'))),
];

function createAnswer({ body }: Call, { world, shapes, now }: AnswerContext): EndpointResult {
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
		status: statusWord(outcome.done, shapes),
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

function listHandler({ query }: Call, view: AnswerContext): EndpointResult {
	const cursor = query('cursor');
	if (cursor !== undefined && !isCursor(cursor))
		return invalidRequest('cursor was not issued by this platform');
	return listAnswer(view, cursor) ?? missing;
}

function statusAnswer(call: Call, view: AnswerContext): EndpointResult {
	const said = withComputer((_, computer) => ({ status: 200, json: statusBody(view, computer) }))(
		call,
		view,
	);
	const isMissing = 'refused' in said && said.refused.status === 404;
	return isMissing && view.shapes.missingStatus === 'plain'
		? { status: 404, json: missingStatusBody() }
		: said;
}

const missing = {
	refused: { status: 404, code: 'not_found', message: 'There is no such computer' },
};
const denied = {
	refused: { status: 403, code: 'forbidden', message: 'This computer belongs to somebody else' },
};

/** Creates a handler for the computer that the path names, which refuses if there is no such computer. */
function withComputer(
	answer: (view: AnswerContext, computer: Computer, call: Call) => EndpointResult,
) {
	return (call: Call, view: AnswerContext): EndpointResult => {
		const id = call.param('id');
		if (id === strangersComputer) return denied;
		const kept = view.shapes.deleted === 'archived' ? view.world.archived() : [];
		const computer = view.world.find(id) ?? kept.find(each => each.id === id);
		return computer ? answer(view, computer, call) : missing;
	};
}

function detailAnswer(view: AnswerContext, computer: Computer): EndpointResult {
	const record = recordOf(view, computer, view.shapes.detailRecord);
	return { status: 200, json: wrapped(record, view.shapes.detail) };
}

const messages = {
	start: 'The computer is starting',
	stop: 'The computer is stopping',
	restart: 'The computer is restarting',
	delete: 'The computer and its data are erased',
};

function operationHandler(operation: keyof typeof messages) {
	return (view: AnswerContext, computer: Computer): EndpointResult => {
		const outcome = view.world.operate(operation, computer);
		if ('refused' in outcome) return outcome;
		switch (view.shapes.acknowledgement) {
			case 'message':
				return { status: 200, json: { success: true, message: messages[operation] } };
			case 'record':
				return detailAnswer(view, outcome.done);
			case 'empty':
				return { status: 204 };
		}
	};
}

function updateAnswer(
	{ world, shapes }: AnswerContext,
	computer: Computer,
	{ body }: Call,
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

function portHandler(operation: 'publish' | 'unpublish') {
	return (view: AnswerContext, computer: Computer, { body }: Call): EndpointResult => {
		const port = fieldOf(body, 'port');
		if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
			return invalidRequest('port must be a whole number from 1 to 65535');
		}
		const outcome = view.world.operate(operation, computer, { port });
		if ('refused' in outcome) return outcome;
		const isRecord = operation === 'publish' && view.shapes.publish === 'record';
		return {
			status: 200,
			json: isRecord
				? wrapped(portRecord(view, computer, port), view.shapes.envelope)
				: { success: true, message: `Port ${port} is ${operation}ed` },
		};
	};
}
