import type { ReadingField } from '../../fleet/computers/computer.ts';
import { latestOf } from '../world/releases.ts';
import { type Computer, usageAt } from '../world/simulated-computer.ts';
import {
	type OperationName,
	operationNames,
	operations,
	plans,
	refusedWith,
} from '../world/world.ts';
import {
	type AnswerContext,
	createEndpoint,
	type EndpointHandler,
	type EndpointRequest,
	type EndpointResult,
	fieldOf,
	invalidRequest,
} from './endpoint.ts';
import { fieldNames, shaped, shapes, type WireShapes, withFields } from './shapes.ts';

export const computerIdOfStranger = 'sb_strangers0001';

const missing = refusedWith(404, 'not_found', 'There is no such computer');
const foreign = refusedWith(403, 'forbidden', 'This computer belongs to somebody else');

const create: EndpointHandler = ({ body }, { world, shapes: chosen }) => {
	if (fieldOf(body, 'provider') !== 'opensandbox')
		return invalidRequest('provider must be "opensandbox"');
	const name = fieldOf(body, 'name');
	if (name !== undefined && (typeof name !== 'string' || name === '' || name.length > 100))
		return invalidRequest('name must be a text of 1 to 100 characters');
	const outcome = world.create(name);
	if ('refused' in outcome) return outcome;
	const created = {
		sandbox_id: outcome.done.id,
		name: outcome.done.name,
		status: statusWordOf(outcome.done, chosen),
		stage: 'creating',
		created_at: isoDate(outcome.done.createdAt),
	};
	return { status: Number(chosen.create), json: shaped(chosen, 'create', { created }) };
};

const deletedIn = ({ world, shapes: chosen }: AnswerContext) =>
	chosen.deleted === 'archived' ? world.deletedComputers : [];

const list: EndpointHandler = ({ query }, context) => {
	const { world, shapes: chosen } = context;
	const computers = [...world.computers(), ...deletedIn(context)];
	const [first] = computers;
	if (chosen.list === 'single') return first ? detail(context, first) : missing;
	// A cursor is the number of the last computer of a page, so that one that is created or deleted in between changes no
	// other.
	const cursor = query('cursor') ?? '-1';
	if (!/^-?\d+$/.test(cursor)) return invalidRequest('cursor was not issued by this platform');
	const rest = computers
		.toSorted((one, other) => one.number - other.number)
		.filter(({ number }) => number > Number(cursor));
	const page = rest.slice(0, Number(chosen.pageSize));
	const values = {
		records: () => recordsOf(context, computers, 'listRecord'),
		minimalRecords: () => computers.map(computer => minimalRecordOf(context, computer)),
		page: () => recordsOf(context, page, 'listRecord'),
		nextCursor: rest.length > page.length ? `${page.at(-1)?.number}` : null,
	};
	return { status: 200, json: shaped(chosen, 'list', values) };
};

type ComputerAnswer = (
	context: AnswerContext,
	computer: Computer,
	request: EndpointRequest,
) => EndpointResult;

function forComputer(answer: ComputerAnswer): EndpointHandler {
	return (request, context) => {
		const id = request.param('id');
		if (id === computerIdOfStranger) return foreign;
		const computer = context.world.find(id) ?? deletedIn(context).find(each => each.id === id);
		return computer ? answer(context, computer, request) : missing;
	};
}

function detail(context: AnswerContext, computer: Computer): EndpointResult {
	const [value] = recordsOf(context, [computer], 'detailRecord');
	return { status: 200, json: shaped(context.shapes, 'detail', { value }) };
}

const knownStatus = forComputer((context, computer) => {
	const reading = readingOf(context, computer);
	const { address: ip, serverType, location, error } = reading;
	const isCreated = computer.state === 'provisioning';
	const json = shaped(context.shapes, 'status', {
		...reading,
		version: computer.state === 'active' ? reading.version : undefined,
		errorMessage: error ?? undefined,
		machineInfo: isCreated ? null : { ip, serverType, location },
		stages: shapes.stages[context.shapes.stages].map(({ name }) => ({ name })),
	});
	return { status: 200, json };
});

const status: EndpointHandler = (request, context) => {
	const result = knownStatus(request, context);
	const isPlain = result === missing && context.shapes.missingStatus === 'plain';
	return isPlain ? { status: 404, json: shapes.missingStatus.plain } : result;
};

const operate = (operation: OperationName, message = operations[operation].answer) =>
	forComputer((context, computer) => {
		const outcome = context.world.operate(operation, computer);
		if ('refused' in outcome) return outcome;
		const { acknowledgement } = context.shapes;
		if (acknowledgement === 'record') return detail(context, computer);
		if (acknowledgement === 'empty') return { status: 204 };
		return { status: 200, json: shaped(context.shapes, 'acknowledgement', { message }) };
	});

const update = forComputer(({ world, shapes: chosen }, computer, { body }) => {
	const version = fieldOf(body, 'version');
	if (version === undefined && chosen.update === 'required')
		return invalidRequest('version is required');
	if (typeof version !== 'string' && version !== undefined)
		return invalidRequest('version must be text');
	const targetVersion = version ?? latestOf(world.releases()).version;
	const outcome = world.operate('update', computer, { version: targetVersion });
	if ('refused' in outcome) return outcome;
	const message = `Updating to version ${targetVersion}`;
	return { status: 200, json: { success: true, started: true, message, targetVersion } };
});

const operateOnPort = (operation: 'publish' | 'unpublish') =>
	forComputer((context, computer, { body }) => {
		const { shapes: chosen } = context;
		const port = fieldOf(body, 'port');
		if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535)
			return invalidRequest('port must be a whole number from 1 to 65535');
		const outcome = context.world.operate(operation, computer, { port });
		if ('refused' in outcome) return outcome;
		if (operation === 'unpublish' || chosen.publish === 'message')
			return { status: 200, json: { success: true, message: `Port ${port} is ${operation}ed` } };
		const value = portRecordOf(context, computer, port);
		return { status: 200, json: shaped(chosen, 'envelope', { value }) };
	});

const listPath = '/v1/platform/sandbox';
const path = `${listPath}/:id`;

export const computerEndpoints = [
	createEndpoint('create', `POST ${listPath}`, create, 'create'),
	createEndpoint('list', `GET ${listPath}`, list),
	createEndpoint('detail', `GET ${path}`, forComputer(detail)),
	createEndpoint('status', `GET ${path}/status`, status, 'status'),
	...operationNames
		.filter(name => operations[name].answer !== undefined)
		.map(name => createEndpoint(name, `POST ${path}/${name}`, operate(name))),
	createEndpoint(
		'delete',
		`DELETE ${path}`,
		operate('delete', 'The computer and its data are erased'),
	),
	createEndpoint('update', `POST ${path}/update`, update),
	createEndpoint('publish', `POST ${path}/preview/start`, operateOnPort('publish')),
	createEndpoint('unpublish', `POST ${path}/preview/stop`, operateOnPort('unpublish')),
];

const isoDate = (time: number) => new Date(time).toISOString();

export function statusWordOf({ state, stoppedBy }: Computer, chosen: WireShapes): string {
	const words: Readonly<Record<string, string>> = shapes.words[chosen.words];
	const isAsleep = state === 'stopped' && stoppedBy === 'idleness';
	return (isAsleep && words['asleep']) || (words[state] ?? state);
}

/** The type demands a value for each new field. */
function readingOf({ world, shapes: chosen, now }: AnswerContext, computer: Computer) {
	const { name, version, error, location, startedAt, createdAt, stateSince, ports } = computer;
	const isReachable = computer.unreachableSince === undefined;
	const usage = isReachable ? usageAt(world.seed, computer, now) : undefined;
	const finished = finishedFraction(computer, now);
	const stage = shapes.stages[chosen.stages].findLast(({ startsAt }) => startsAt <= finished);
	const network = Math.floor(computer.number / 254) % 512;
	return {
		name,
		status: isReachable ? statusWordOf(computer, chosen) : undefined,
		stage: stage?.name,
		stageProgress: Math.floor(finished * 100),
		stageMessage: messageOf(computer, plans[world.plan].idleMinutes) ?? stage?.message,
		version,
		error,
		address: `198.${18 + (network >> 8)}.${network & 255}.${(computer.number % 254) + 1}`,
		provider: 'opensandbox',
		location,
		serverType: plans[world.plan].server,
		cpu: usage?.cpu,
		memory: usage?.memory,
		storage: usage?.storage,
		startedAt: startedAt && isoDate(startedAt),
		createdAt: isoDate(createdAt),
		updatedAt: isoDate(stateSince),
		ports,
	} satisfies Readonly<Record<ReadingField, unknown>>;
}

function recordsOf(
	context: AnswerContext,
	computers: readonly Computer[],
	kind: 'listRecord' | 'detailRecord',
): readonly object[] {
	const { shapes: chosen, origin, now } = context;
	const variant = chosen[kind];
	const isFull = variant === 'full';
	const more = [
		...fieldNames(shapes.usage[chosen.usage]),
		...fieldNames(shapes.ports[chosen.ports]),
	];
	return computers.map(computer => {
		const { id, number, state, ports } = computer;
		const reading = readingOf(context, computer);
		if (variant === 'minimal') return { sandbox_id: id, status: reading.status };
		const { address, location, serverType } = reading;
		const isCreated = state === 'provisioning';
		const base = {
			sandbox_id: id,
			external_id: `ext-${number}`,
			name: reading.name,
			provider: reading.provider,
			base_url: `${origin}/v1/p/${id}`,
			status: reading.status,
			version: isFull ? reading.version : null,
			metadata: {
				provisioningStage: isCreated ? reading.stage : undefined,
				provisioningMessage: isCreated ? reading.stageMessage : undefined,
				errorMessage: reading.error ?? undefined,
				publicIp: address,
				serverType,
				location,
				version: reading.version,
			},
			is_included: number === 0,
			cancel_at_period_end: false,
			cancel_at: null,
			created_at: reading.createdAt,
			updated_at: reading.updatedAt,
		};
		if (!isFull) return base;
		const usageAndPorts = {
			ip: address,
			internal_ip: address,
			cpu: reading.cpu,
			cpu_percent: reading.cpu,
			memory: reading.memory,
			ram: reading.memory,
			storage: reading.storage,
			disk: reading.storage,
			started_at: reading.startedAt,
			uptime: computer.startedAt && Math.floor((now - computer.startedAt) / 1000),
			ports: ports.map(({ port }) => portRecordOf(context, computer, port)),
			published_ports: ports.map(({ port }) => port),
		};
		return { ...base, ...withFields(more, usageAndPorts) };
	});
}

function minimalRecordOf(context: AnswerContext, computer: Computer) {
	const { id, name, createdAt, unreachableSince } = computer;
	const word = unreachableSince === undefined ? statusWordOf(computer, context.shapes) : undefined;
	return { sandbox_id: id, name, status: word, created_at: isoDate(createdAt) };
}

function portRecordOf({ origin }: AnswerContext, { id, ports }: Computer, port: number) {
	const token = ports.find(published => published.port === port)?.shareToken;
	return { port, url: `${origin}/v1/p/${id}/${port}`, share_token: token };
}

function finishedFraction({ state, error, provisioning }: Computer, now: number): number {
	const { startedAt, durationMs, failure } = provisioning;
	if (state === 'provisioning') return (now - startedAt) / durationMs;
	return failure && error === failure.message ? failure.atFraction : 1;
}

function messageOf({ state, stoppedBy, targetVersion }: Computer, idleMinutes: number) {
	const stopped = {
		credits: 'Stopped: no credits are left',
		owner: 'Stopped by its owner',
		idleness: `Asleep after ${idleMinutes} minutes without activity`,
	};
	const messages: Readonly<Record<string, string>> = {
		stopped: stopped[stoppedBy ?? 'idleness'],
		stopping: 'Releasing resources',
		starting: 'Resuming',
		restarting: 'Restarting the container',
		updating: `Updating to version ${targetVersion}`,
	};
	return messages[state];
}
