import type { Computer, Provisioning } from './computer.ts';
import { pick } from './random.ts';

type Stage = { name: string; from: number; message: string };

/** The stages in the platform's document, and the stages of a service that first creates a server. */
const sequences = {
	documented: [
		{ name: 'creating', from: 0, message: 'Creating the computer' },
		{ name: 'loading_image', from: 0.15, message: 'Loading the image' },
		{ name: 'ready', from: 0.96, message: 'Ready' },
	],
	server: [
		{ name: 'server_creating', from: 0, message: 'Creating the server' },
		{ name: 'server_created', from: 0.12, message: 'The server exists' },
		{ name: 'cloud_init_running', from: 0.18, message: 'Setting the server up' },
		{ name: 'cloud_init_done', from: 0.38, message: 'The server is set up' },
		{ name: 'docker_pulling', from: 0.42, message: 'Pulling the image' },
		{ name: 'docker_running', from: 0.72, message: 'The container runs' },
		{ name: 'services_starting', from: 0.78, message: 'Starting services' },
		{ name: 'services_ready', from: 0.96, message: 'Services are ready' },
	],
} satisfies Record<string, readonly Stage[]>;

export type StageWords = keyof typeof sequences;

export type StageReport = {
	stage: string;
	progress: number;
	message: string;
	stages: readonly { name: string; status: 'done' | 'running' | 'waiting' }[];
};

const failures = [
	'image pull failed: disk quota exceeded',
	'no capacity left in the chosen location',
	'network attach failed: address pool exhausted',
	'services did not become ready within 300 s',
] as const;

/** Plans a creation, which takes about a minute and fails in 6 of 100 cases. */
export function provisioningFrom(draw: () => number, startedAt: number): Provisioning {
	const lasts = Math.round(42_000 + draw() * 33_000);
	if (draw() >= 0.06) return { startedAt, lasts };
	return { startedAt, lasts, failure: { at: 0.3 + draw() * 0.6, message: pick(failures, draw()) } };
}

export const provisioningEnd = ({ startedAt, lasts, failure }: Provisioning) =>
	startedAt + Math.round(lasts * (failure?.at ?? 1));

function partDone({ state, error, provisioning }: Computer, now: number) {
	const { startedAt, lasts, failure } = provisioning;
	if (state === 'provisioning') return (now - startedAt) / lasts;
	return failure && error === failure.message ? failure.at : 1;
}

export function stageOf(computer: Computer, now: number, words: StageWords): StageReport {
	const sequence: readonly Stage[] = sequences[words];
	const part = partDone(computer, now);
	const place = sequence.findLastIndex(({ from }) => from <= part);
	const statusAt = (index: number) => {
		if (index < place || part === 1) return 'done';
		return index === place ? 'running' : 'waiting';
	};
	return {
		stage: sequence[place]?.name ?? '',
		progress: Math.floor(part * 100),
		message: sequence[place]?.message ?? '',
		stages: sequence.map(({ name }, index) => ({ name, status: statusAt(index) })),
	};
}
