import type { Computer } from './computer.ts';
import { strangersComputer } from './demo-account.ts';
import { portRecord, recordOf } from './encode-computer.ts';
import { wrapped } from './encode-envelope.ts';
import { isCursor, listAnswer } from './encode-list.ts';
import { missingStatusBody, statusBody } from './encode-status.ts';
import { statusWord } from './encode-words.ts';
import { type Call, type Endpoint, endpoint, fieldOf, invalid, type Said } from './endpoint.ts';
import { latestOf } from './releases.ts';
import type { View } from './view.ts';

const list = '/v1/platform/sandbox';
const one = `${list}/:id`;

export const computerEndpoints: readonly Endpoint[] = [
	endpoint('create', `POST ${list}`, createAnswer, 'create'),
	endpoint('list', `GET ${list}`, listOrNone),
	endpoint('detail', `GET ${one}`, of(detailAnswer)),
	endpoint('status', `GET ${one}/status`, statusAnswer, 'status'),
	endpoint('start', `POST ${one}/start`, of(asked('start'))),
	endpoint('stop', `POST ${one}/stop`, of(asked('stop'))),
	endpoint('restart', `POST ${one}/restart`, of(asked('restart'))),
	endpoint('delete', `DELETE ${one}`, of(asked('delete'))),
	endpoint('update', `POST ${one}/update`, of(updateAnswer)),
	endpoint('publish', `POST ${one}/preview/start`, of(publication('publish'))),
	endpoint('unpublish', `POST ${one}/preview/stop`, of(publication('unpublish'))),
];

function createAnswer({ body }: Call, { world, shapes, now }: View): Said {
	if (fieldOf(body, 'provider') !== 'opensandbox') {
		return invalid('provider must be "opensandbox"');
	}
	const name = fieldOf(body, 'name');
	if (name !== undefined && (typeof name !== 'string' || name === '' || name.length > 100)) {
		return invalid('name must be a text of 1 to 100 characters');
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

function listOrNone({ query }: Call, view: View): Said {
	const cursor = query('cursor');
	if (cursor !== undefined && !isCursor(cursor)) return invalid('cursor is not one of ours');
	return listAnswer(view, cursor) ?? missing;
}

function statusAnswer(call: Call, view: View): Said {
	const said = of((_, computer) => ({ status: 200, json: statusBody(view, computer) }))(call, view);
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

/** Finds the computer that the path names, and refuses where there is none. */
function of(answer: (view: View, computer: Computer, call: Call) => Said) {
	return (call: Call, view: View): Said => {
		const id = call.param('id');
		if (id === strangersComputer) return denied;
		const kept = view.shapes.deleted === 'archived' ? view.world.archived() : [];
		const computer = view.world.find(id) ?? kept.find(each => each.id === id);
		return computer ? answer(view, computer, call) : missing;
	};
}

function detailAnswer(view: View, computer: Computer): Said {
	const record = recordOf(view, computer, view.shapes.detailRecord);
	return { status: 200, json: wrapped(record, view.shapes.detail) };
}

const doing = {
	start: 'The computer is starting',
	stop: 'The computer is stopping',
	restart: 'The computer is restarting',
	delete: 'The computer and its data are erased',
};

function asked(operation: keyof typeof doing) {
	return (view: View, computer: Computer): Said => {
		const outcome = view.world.operate(operation, computer);
		if ('refused' in outcome) return outcome;
		switch (view.shapes.acknowledgement) {
			case 'message':
				return { status: 200, json: { success: true, message: doing[operation] } };
			case 'record':
				return detailAnswer(view, outcome.done);
			case 'empty':
				return { status: 204 };
		}
	};
}

function updateAnswer({ world, shapes }: View, computer: Computer, { body }: Call): Said {
	const version = fieldOf(body, 'version');
	if (version === undefined && shapes.update === 'required') return invalid('version is required');
	if (typeof version !== 'string' && version !== undefined) return invalid('version is no text');
	const targetVersion = version ?? latestOf(world.releases()).version;
	const outcome = world.operate('update', computer, { version: targetVersion });
	if ('refused' in outcome) return outcome;
	const message = `Updating to version ${targetVersion}`;
	return { status: 200, json: { success: true, started: true, message, targetVersion } };
}

function publication(operation: 'publish' | 'unpublish') {
	return (view: View, computer: Computer, { body }: Call): Said => {
		const port = fieldOf(body, 'port');
		if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) {
			return invalid('port must be a whole number from 1 to 65535');
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
