import type { Computer, Port, State } from './computer.ts';
import { enterState, schedule, sleepAt } from './lifecycle.ts';
import { provisioningFrom } from './provisioning.ts';
import { between, fraction, pick, type Range, randomCode, salts } from './random.ts';
import { latestOf } from './releases.ts';
import { draw, type WorldState } from './world-state.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const locations = ['eu-north', 'eu-west', 'us-east', 'ap-south'] as const;
const usualPorts = [8080, 5173, 3000, 8000] as const;
const computerAges: Range = [10 * day, 400 * day];
const longStays: Range = [1 * hour, 9 * day];
const shortStays: Range = [5 * minute, 3 * hour];
/** A negative time means that the computer is idle already and about to fall asleep. */
const timeSinceUse: Range = [-25 * minute, 120 * minute];
const provisioningAges: Range = [3_000, 12_000];

/** The first two dozen computers cover every state. Most of the others run. */
const demoStates: readonly State[] = [
	...(['active', 'provisioning', 'stopped', 'error', 'stopping', 'active'] as const),
	...(['active', 'active', 'stopped', 'active', 'active', 'active'] as const),
	...(['active', 'provisioning', 'active', 'stopped', 'active', 'active'] as const),
	...(['active', 'active', 'active', 'active', 'active', 'active'] as const),
];
const outdated = [2, 5, 16];

/** Adds a new computer, for which no event is scheduled yet. */
export function addComputer(world: WorldState, createdAt: number, name?: string): Computer {
	const number = world.madeCount++;
	const computer: Computer = {
		number,
		id: `sb_${randomCode(12, world.seed, salts.id, number)}`,
		name: name ?? nameOf(number),
		createdAt,
		location: pick(locations, fraction(world.seed, salts.place, number)),
		isSteady: number === 0 || fraction(world.seed, salts.habit, number) < 0.5,
		state: 'provisioning',
		since: createdAt,
		dueAt: Number.POSITIVE_INFINITY,
		provisioning: { startedAt: createdAt, lasts: minute },
		startedAt: null,
		version: null,
		targetVersion: null,
		error: null,
		stoppedBy: null,
		busyUntil: createdAt,
		ports: [],
		drawCount: 0,
	};
	world.computers.set(computer.id, computer);
	return computer;
}

export function provision(world: WorldState, computer: Computer, at: number): void {
	const provisioning = provisioningFrom(() => draw(world, computer), at);
	enterState(world, computer, 'provisioning', at, { provisioning });
}

export function populate(world: WorldState, count: number): void {
	for (let number = 0; number < count; number++) {
		const part = (place: number) => fraction(world.seed, salts.birth, number, place);
		const state = demoStates[number] ?? laterState(part(0));
		if (state === 'provisioning') {
			const startedAt = world.now - between(provisioningAges, part(1));
			provision(world, addComputer(world, startedAt), startedAt);
		} else {
			addExisting(world, state, part);
		}
	}
}

const laterState = (part: number): State => {
	if (part < 0.01) return 'error';
	return part < 0.25 ? 'stopped' : 'active';
};

/** Adds a computer that has existed for a long time. */
function addExisting(world: WorldState, state: State, part: (place: number) => number): void {
	const { now, releases } = world;
	const computer = addComputer(world, now - between(computerAges, part(1)));
	const isOutdated = outdated.includes(computer.number) || (computer.number > 23 && part(2) < 0.15);
	const version = (isOutdated ? releases.at(-4) : latestOf(releases))?.version ?? null;
	enterState(world, computer, state, now, {
		version,
		...(state === 'stopped' && { stoppedBy: part(3) < 0.7 ? 'idleness' : 'owner' }),
		...(state === 'stopping' && { stoppedBy: 'owner' }),
		...(state === 'error' && { error: 'image pull failed: disk quota exceeded' }),
	});
	const lasted = between(computer.isSteady ? longStays : shortStays, part(4));
	computer.since =
		now - (state === 'stopping' ? 4_000 : Math.min(lasted, now - computer.createdAt));
	if (state === 'active' || state === 'stopping') computer.startedAt = now - lasted;
	if (state === 'active') {
		computer.busyUntil = now + between(timeSinceUse, part(5));
		schedule(world, computer, Math.max(now + minute, sleepAt(world, computer)));
	}
	if (state !== 'error') computer.ports = portsOf(world, computer, part);
}

function portsOf(world: WorldState, { number }: Computer, part: (place: number) => number) {
	if (number > 0 && part(6) > 0.3) return [];
	const first = pick(usualPorts, part(7));
	const ports = number === 0 ? [8080, 5173] : [first];
	return ports.map(port => publishedPort(world, number, port));
}

export const publishedPort = ({ seed }: WorldState, number: number, port: number): Port => ({
	port,
	shareToken: randomCode(20, seed, salts.share, number, port),
});

const stars = (
	'atlas borealis cygnus draco eridanus fornax gemini hydra indus jabbah kochab lyra mira norma ' +
	'orion pavo quaoar rigel sirius tucana unuk vega wezen xuange yildun zosma ' +
	'altair bellatrix capella deneb enif fomalhaut grus hamal izar juno kraz lepus mimosa nashira ' +
	'octans perseus rastaban scutum tarazed ursa volans zaurak'
).split(' ');

/** Names the first few dozen computers after stars, and later ones after the same stars with a number. */
export function nameOf(number: number): string {
	const round = Math.floor(number / stars.length);
	const star = stars[number % stars.length] ?? '';
	return round === 0 ? star : `${star}-${round + 1}`;
}
