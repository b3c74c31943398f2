import type { ReadingField } from '../../fleet/computers/computer.ts';
import { type Computer, type LifecycleState, usageAt } from '../world/computer.ts';
import { stageReportOf, stagesOf } from '../world/lifecycle.ts';
import type { AnswerContext } from './endpoint.ts';
import type { WireShapes } from './shapes.ts';

type RecordDetail = WireShapes['listRecord'];

const isoDateFrom = (time: number) => new Date(time).toISOString();

/**
 * Returns the value of every field of a computer that a client knows; null if the field has no value. The return type
 * requires a value for each new field.
 */
function valuesOf({ world, shapes, now }: AnswerContext, computer: Computer) {
	const { name, version, error, location, startedAt, createdAt, stateSince, ports } = computer;
	const { stage, progress, message } = stageReportOf(computer, now, shapes.stages);
	const isReachable = computer.unreachableSince === undefined;
	return {
		name,
		status: isReachable ? statusWordOf(computer, shapes) : undefined,
		stage,
		stageProgress: progress,
		stageMessage: message,
		version,
		error,
		address: addressOf(computer),
		provider: 'opensandbox',
		location,
		serverType: world.terms.serverType,
		...(isReachable ? usageAt(world.seed, computer, now) : noUsage),
		startedAt: startedAt === null ? null : isoDateFrom(startedAt),
		createdAt: isoDateFrom(createdAt),
		updatedAt: isoDateFrom(stateSince),
		ports,
	} satisfies Readonly<Record<ReadingField, unknown>>;
}

const noUsage = { cpu: undefined, memory: undefined, storage: undefined };

type Values = ReturnType<typeof valuesOf>;

export function computerRecord(
	context: AnswerContext,
	computer: Computer,
	detail: RecordDetail,
): object {
	const { id, number } = computer;
	if (detail === 'minimal')
		return { sandbox_id: id, status: statusWordOf(computer, context.shapes) };
	const isFull = detail === 'full';
	const values = valuesOf(context, computer);
	return {
		sandbox_id: id,
		external_id: `ext-${number}`,
		name: values.name,
		provider: values.provider,
		base_url: `${context.origin}/v1/p/${id}`,
		status: values.status,
		version: isFull ? values.version : null,
		metadata: metadataOf(values, computer),
		...(isFull && { ...usageOf(values, context, computer), ...portsOf(context, computer) }),
		is_included: number === 0,
		cancel_at_period_end: false,
		cancel_at: null,
		created_at: values.createdAt,
		updated_at: values.updatedAt,
	};
}

/** What the document promises of a record in the list, with a name and a time of creation. */
export function minimalRecord(context: AnswerContext, computer: Computer): object {
	const { name, status, createdAt } = valuesOf(context, computer);
	return { sandbox_id: computer.id, name, status, created_at: createdAt };
}

function metadataOf(values: Values, { state }: Computer): object {
	const { stage, stageMessage, error, address, serverType, location, version } = values;
	return {
		...(state === 'provisioning' && {
			provisioningStage: stage,
			provisioningMessage: stageMessage,
		}),
		...(error !== null && { errorMessage: error }),
		publicIp: address,
		serverType,
		location,
		version,
	};
}

/**
 * Returns the IP address of a computer. The networks 198.18.0.0/15 are reserved for tests, so no machine answers at an address. Each
 * network has 254 addresses, because none ends in 0 or 255.
 */
function addressOf({ number }: Computer): string {
	const network = Math.floor(number / 254) % 512;
	return `198.${18 + (network >> 8)}.${network & 255}.${(number % 254) + 1}`;
}

function usageOf(values: Values, { shapes, now }: AnswerContext, computer: Computer): object {
	const { address, cpu, memory, storage, startedAt } = values;
	switch (shapes.usage) {
		case 'none':
			return {};
		case 'suffixed':
			return {
				internal_ip: address,
				cpu_percent: cpu,
				ram: memory,
				storage,
				started_at: startedAt,
			};
		default: {
			const uptimeMs = computer.startedAt === null ? null : now - computer.startedAt;
			const uptime = uptimeMs === null ? null : Math.floor(uptimeMs / 1000);
			return { ip: address, cpu, memory, disk: storage, uptime };
		}
	}
}

function portsOf(context: AnswerContext, computer: Computer): object {
	if (context.shapes.ports === 'none') return {};
	if (context.shapes.ports === 'numbers') {
		return { published_ports: computer.ports.map(({ port }) => port) };
	}
	return { ports: computer.ports.map(({ port }) => portRecord(context, computer, port)) };
}

export function portRecord(
	{ origin }: AnswerContext,
	{ id, ports }: Computer,
	port: number,
): object {
	const token = ports.find(publishedPort => publishedPort.port === port)?.shareToken;
	return { port, url: `${origin}/v1/p/${id}/${port}`, share_token: token };
}

type StatusWords = Readonly<Record<LifecycleState, string>>;

const canonicalStatusWords: StatusWords = {
	provisioning: 'provisioning',
	active: 'active',
	stopped: 'stopped',
	error: 'error',
	stopping: 'stopping',
	starting: 'starting',
	restarting: 'restarting',
	updating: 'updating',
	archived: 'archived',
};

const statusWordsByShape: Readonly<Record<WireShapes['words'], StatusWords>> = {
	canonical: canonicalStatusWords,
	/**
	 * The platform's document lists only four status words, so a computer with an operation in progress has one
	 * of those.
	 */
	documented: {
		...canonicalStatusWords,
		stopping: 'active',
		starting: 'stopped',
		restarting: 'provisioning',
		updating: 'provisioning',
	},
	everyday: { ...canonicalStatusWords, active: 'running', stopped: 'paused' },
	exotic: {
		provisioning: 'pooled',
		active: 'degraded',
		stopped: 'hibernated',
		error: 'quarantined',
		stopping: 'draining',
		starting: 'thawing',
		restarting: 'cycling',
		updating: 'migrating',
		archived: 'entombed',
	},
};

export function statusWordOf({ state, stoppedBy }: Computer, { words }: WireShapes): string {
	const isAsleep = state === 'stopped' && stoppedBy === 'idleness';
	return words === 'everyday' && isAsleep ? 'sleeping' : statusWordsByShape[words][state];
}

/** Returns the body of a status answer, which has no envelope in the platform's document. */
export function statusBody(context: AnswerContext, computer: Computer): object {
	const { status, stage, stageProgress, stageMessage, version, error, startedAt, ...values } =
		valuesOf(context, computer);
	if (context.shapes.status === 'minimal') return { status };
	if (context.shapes.status === 'nulls') return { status, ...emptyDetails, error };

	const documented = {
		status,
		stage,
		stageProgress,
		stageMessage: stageMessageOf(context, computer) ?? stageMessage,
		...(computer.state === 'active' && { version }),
		...(error !== null && { error }),
	};
	if (context.shapes.status === 'documented') return documented;
	const { address: ip, serverType, location } = values;
	const isPlaced = computer.state !== 'provisioning';
	return {
		...documented,
		machineInfo: isPlaced ? { ip, serverType, location } : null,
		stages: stagesOf(computer, context.now, context.shapes.stages),
		error,
		startedAt,
	};
}

const emptyDetails = {
	stage: null,
	stageProgress: null,
	stageMessage: null,
	machineInfo: null,
	stages: null,
	startedAt: null,
};

function stageMessageOf(
	{ world }: AnswerContext,
	{ state, stoppedBy, targetVersion: target }: Computer,
): string | undefined {
	switch (state) {
		case 'stopped':
			if (stoppedBy === 'credits') return 'Stopped: no credits are left';
			if (stoppedBy === 'owner') return 'Stopped by its owner';
			return `Asleep after ${world.terms.idleMinutes} minutes without activity`;
		case 'stopping':
			return 'Releasing resources';
		case 'starting':
			return 'Resuming';
		case 'restarting':
			return 'Restarting the container';
		case 'updating':
			return `Updating to version ${target}`;
		default:
			return undefined;
	}
}

export function missingStatusBody(): object {
	return { status: 'not_found', error: 'This computer does not exist' };
}
