import { type Computer, type LifecycleState, usageAt } from './computer.ts';
import type { AnswerContext } from './endpoint.ts';
import { stageReportOf } from './provisioning.ts';
import type { Shapes } from './shapes.ts';

type RecordDetail = Shapes['listRecord'];

const isoDateFrom = (time: number) => new Date(time).toISOString();

export function computerRecord(
	context: AnswerContext,
	computer: Computer,
	detail: RecordDetail,
): object {
	const status = statusWordOf(computer, context.shapes);
	if (detail === 'minimal') return { sandbox_id: computer.id, status };
	const isFull = detail === 'full';
	return {
		sandbox_id: computer.id,
		external_id: `ext-${computer.number}`,
		name: computer.name,
		provider: 'opensandbox',
		base_url: `${context.origin}/v1/p/${computer.id}`,
		status,
		version: isFull ? computer.version : null,
		metadata: metadataOf(context, computer),
		...(isFull && { ...usageOf(context, computer), ...portsOf(context, computer) }),
		is_included: computer.number === 0,
		cancel_at_period_end: false,
		cancel_at: null,
		created_at: isoDateFrom(computer.createdAt),
		updated_at: isoDateFrom(computer.stateSince),
	};
}

function metadataOf({ world, shapes, now }: AnswerContext, computer: Computer): object {
	const isProvisioning = computer.state === 'provisioning';
	const stageReport = isProvisioning ? stageReportOf(computer, now, shapes.stages) : undefined;
	return {
		...(stageReport && {
			provisioningStage: stageReport.stage,
			provisioningMessage: stageReport.message,
		}),
		...(computer.error !== null && { errorMessage: computer.error }),
		publicIp: addressOf(computer),
		serverType: world.terms.serverType,
		location: computer.location,
		version: computer.version,
	};
}

/** Returns the IP address of a computer. Each network has 254 addresses, because none ends in 0 or 255. */
export function addressOf({ number }: Computer): string {
	const network = Math.floor(number / 254);
	return `10.${network >> 8}.${network & 255}.${(number % 254) + 1}`;
}

function usageOf({ world, shapes, now }: AnswerContext, computer: Computer): object {
	if (shapes.usage === 'none') return {};
	const { cpu, memory, storage } = usageAt(world.seed, computer, now);
	const { startedAt } = computer;
	if (shapes.usage === 'suffixed') {
		return {
			internal_ip: addressOf(computer),
			cpu_percent: cpu,
			ram: memory,
			storage,
			started_at: startedAt === null ? null : isoDateFrom(startedAt),
		};
	}
	const uptime = startedAt === null ? null : Math.floor((now - startedAt) / 1000);
	return { ip: addressOf(computer), cpu, memory, disk: storage, uptime };
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

const statusWordsByShape: Readonly<Record<Shapes['words'], StatusWords>> = {
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

export function statusWordOf({ state, stoppedBy }: Computer, { words }: Shapes): string {
	const isAsleep = state === 'stopped' && stoppedBy === 'idleness';
	return words === 'everyday' && isAsleep ? 'sleeping' : statusWordsByShape[words][state];
}
