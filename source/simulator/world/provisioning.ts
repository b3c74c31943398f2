import type { Computer, Provisioning } from './computer.ts';
import { pickItem } from './random.ts';

type ProvisioningStage = { name: string; startsAt: number; message: string };

/** The stages of a creation: those of the platform's document, and those of a service that creates servers. */
const stagesBySequence = {
	documented: [
		{ name: 'creating', startsAt: 0, message: 'Creating the computer' },
		{ name: 'loading_image', startsAt: 0.15, message: 'Loading the image' },
		{ name: 'ready', startsAt: 0.96, message: 'Ready' },
	],
	server: [
		{ name: 'server_creating', startsAt: 0, message: 'Creating the server' },
		{ name: 'server_created', startsAt: 0.12, message: 'The server exists' },
		{ name: 'cloud_init_running', startsAt: 0.18, message: 'Setting the server up' },
		{ name: 'cloud_init_done', startsAt: 0.38, message: 'The server is set up' },
		{ name: 'docker_pulling', startsAt: 0.42, message: 'Pulling the image' },
		{ name: 'docker_running', startsAt: 0.72, message: 'The container runs' },
		{ name: 'services_starting', startsAt: 0.78, message: 'Starting services' },
		{ name: 'services_ready', startsAt: 0.96, message: 'Services are ready' },
	],
} as const satisfies Record<string, readonly ProvisioningStage[]>;

type StageSequence = keyof typeof stagesBySequence;

type StageReport = { stage: string; progress: number; message: string };

const failureMessages = [
	'image pull failed: disk quota exceeded',
	'no capacity left in the chosen location',
	'network attach failed: address pool exhausted',
	'services did not become ready within 300 s',
] as const;

/** Plans a creation, which takes about a minute and fails in 6 % of all cases. */
export function planProvisioning(draw: () => number, startedAt: number): Provisioning {
	const durationMs = Math.round(42_000 + draw() * 33_000);
	if (draw() >= 0.06) return { startedAt, durationMs };
	return {
		startedAt,
		durationMs,
		failure: { atFraction: 0.3 + draw() * 0.6, message: pickItem(failureMessages, draw()) },
	};
}

export const provisioningEndTime = ({ startedAt, durationMs, failure }: Provisioning) =>
	startedAt + Math.round(durationMs * (failure?.atFraction ?? 1));

function finishedFraction({ state, error, provisioning }: Computer, now: number) {
	const { startedAt, durationMs, failure } = provisioning;
	if (state === 'provisioning') return (now - startedAt) / durationMs;
	return failure && error === failure.message ? failure.atFraction : 1;
}

export function stageReportOf(
	computer: Computer,
	now: number,
	sequenceName: StageSequence,
): StageReport {
	const finished = finishedFraction(computer, now);
	const { name = '', message = '' } =
		stagesBySequence[sequenceName].findLast(({ startsAt }) => startsAt <= finished) ?? {};
	return { stage: name, progress: Math.floor(finished * 100), message };
}

export function stagesOf(
	computer: Computer,
	now: number,
	sequenceName: StageSequence,
): readonly { name: string; status: 'done' | 'running' | 'waiting' }[] {
	const sequence = stagesBySequence[sequenceName];
	const finished = finishedFraction(computer, now);
	const currentIndex = sequence.findLastIndex(({ startsAt }) => startsAt <= finished);
	const statusAt = (index: number) => {
		if (index < currentIndex || finished === 1) return 'done';
		return index === currentIndex ? 'running' : 'waiting';
	};
	return sequence.map(({ name }, index) => ({ name, status: statusAt(index) }));
}
