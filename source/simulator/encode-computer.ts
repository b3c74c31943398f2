import { type Computer, type State, usageAt } from './computer.ts';
import type { AnswerContext } from './endpoint.ts';
import { stageOf } from './provisioning.ts';
import type { Shapes } from './shapes.ts';

export type Richness = Shapes['listRecord'];

const dateFrom = (time: number) => new Date(time).toISOString();

export function recordOf(view: AnswerContext, computer: Computer, richness: Richness): object {
	const status = statusWord(computer, view.shapes);
	if (richness === 'minimal') return { sandbox_id: computer.id, status };
	const isFull = richness === 'full';
	return {
		sandbox_id: computer.id,
		external_id: `ext-${computer.number}`,
		name: computer.name,
		provider: 'opensandbox',
		base_url: `${view.origin}/v1/p/${computer.id}`,
		status,
		version: isFull ? computer.version : null,
		metadata: metadataOf(view, computer),
		...(isFull && { ...usageOf(view, computer), ...portsOf(view, computer) }),
		is_included: computer.number === 0,
		cancel_at_period_end: false,
		cancel_at: null,
		created_at: dateFrom(computer.createdAt),
		updated_at: dateFrom(computer.since),
	};
}

function metadataOf({ world, shapes, now }: AnswerContext, computer: Computer): object {
	const isInTheMaking = computer.state === 'provisioning';
	const report = isInTheMaking ? stageOf(computer, now, shapes.stages) : undefined;
	return {
		...(report && { provisioningStage: report.stage, provisioningMessage: report.message }),
		...(computer.error !== null && { errorMessage: computer.error }),
		publicIp: addressOf(computer),
		serverType: world.terms.serverType,
		location: computer.location,
		version: computer.version,
	};
}

/** Each network has 254 addresses, because none ends in 0 or 255. */
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
			started_at: startedAt === null ? null : dateFrom(startedAt),
		};
	}
	const uptime = startedAt === null ? null : Math.floor((now - startedAt) / 1000);
	return { ip: addressOf(computer), cpu, memory, disk: storage, uptime };
}

function portsOf(view: AnswerContext, computer: Computer): object {
	if (view.shapes.ports === 'none') return {};
	if (view.shapes.ports === 'numbers') {
		return { published_ports: computer.ports.map(({ port }) => port) };
	}
	return { ports: computer.ports.map(({ port }) => portRecord(view, computer, port)) };
}

export function portRecord(
	{ origin }: AnswerContext,
	{ id, ports }: Computer,
	port: number,
): object {
	const token = ports.find(each => each.port === port)?.shareToken;
	return { port, url: `${origin}/v1/p/${id}/${port}`, share_token: token };
}

type Words = Readonly<Record<State, string>>;

const canonical: Words = {
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

const vocabularies: Readonly<Record<Shapes['words'], Words>> = {
	canonical,
	/** Only the four words of the document: a running operation shows the state before or after it. */
	documented: {
		...canonical,
		stopping: 'active',
		starting: 'stopped',
		restarting: 'provisioning',
		updating: 'provisioning',
	},
	everyday: { ...canonical, active: 'running', stopped: 'paused' },
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

export function statusWord({ state, stoppedBy }: Computer, { words }: Shapes): string {
	const isAsleep = state === 'stopped' && stoppedBy === 'idleness';
	return words === 'everyday' && isAsleep ? 'sleeping' : vocabularies[words][state];
}
