import type { Refusal } from './answer.ts';
import type { Computer, State } from './computer.ts';
import { canRun, enterState } from './lifecycle.ts';
import { addComputer, provision, publishedPort } from './population.ts';
import { isNewer, latestOf } from './releases.ts';
import type { WorldState } from './world-state.ts';

export type Outcome = { done: Computer } | { refused: Refusal };

export type Operation =
	| 'start'
	| 'stop'
	| 'restart'
	| 'update'
	| 'delete'
	| 'publish'
	| 'unpublish';

const allowedStates: Readonly<Record<Operation, readonly State[]>> = {
	start: ['stopped'],
	stop: ['active'],
	restart: ['active', 'error'],
	update: ['active'],
	delete: ['provisioning', 'active', 'stopped', 'error'],
	publish: ['active'],
	unpublish: ['active', 'stopped'],
};

const settledStates: readonly State[] = ['active', 'stopped', 'error', 'archived'];

const refused = (status: number, code: string, message: string): { refused: Refusal } => ({
	refused: { status, code, message },
});

const noCredits = {
	refused: {
		status: 402,
		code: 'insufficient_credits',
		message: 'No credits are left',
		isPayable: true,
	},
};

export function create(world: WorldState, name?: string): Outcome {
	if (!canRun(world, world.now)) return noCredits;
	const computer = addComputer(world, world.now, name);
	provision(world, computer, world.now);
	return { done: computer };
}

/** Carries out an operation on an existing computer, or refuses it. */
export function operate(
	world: WorldState,
	operation: Operation,
	computer: Computer,
	{ version, port }: { version?: string; port?: number } = {},
): Outcome {
	const obstacle = refusalOf(operation, computer);
	if (obstacle) return { refused: obstacle };
	const begin = (state: State, change: Partial<Computer> = {}): Outcome => {
		enterState(world, computer, state, world.now, change);
		return { done: computer };
	};
	switch (operation) {
		case 'start':
			return canRun(world, world.now) ? begin('starting', { stoppedBy: null }) : noCredits;
		case 'stop':
			return begin('stopping', { stoppedBy: 'owner' });
		case 'restart':
			return canRun(world, world.now) ? begin('restarting', { error: null }) : noCredits;
		case 'update':
			return update(world, computer, version, begin);
		case 'delete':
			erase(world, computer);
			return { done: computer };
		case 'publish':
			return publish(world, computer, port ?? 0);
		case 'unpublish':
			return unpublish(computer, port ?? 0);
	}
}

/** Deletes a computer in any state. Its record is kept for services that list deleted computers. */
export function erase(world: WorldState, computer: Computer): void {
	world.computers.delete(computer.id);
	world.archived.push(computer);
	enterState(world, computer, 'archived', world.now, { ports: [], startedAt: null });
}

function refusalOf(operation: Operation, computer: Computer): Refusal | undefined {
	if (allowedStates[operation].includes(computer.state)) return undefined;
	const isUnderWay = !settledStates.includes(computer.state);
	return {
		status: 409,
		code: isUnderWay ? 'already_in_progress' : 'invalid_state',
		message: isUnderWay
			? `Another operation is already in progress (${computer.state})`
			: `Cannot ${operation} while the computer is ${computer.state}`,
		computer,
	};
}

function update(
	world: WorldState,
	computer: Computer,
	wanted: string | undefined,
	begin: (state: State, change: Partial<Computer>) => Outcome,
): Outcome {
	const target = wanted ?? latestOf(world.releases).version;
	if (!world.releases.some(({ version }) => version === target)) {
		return refused(400, 'unknown_version', `There is no version ${target}`);
	}
	if (computer.version !== null && !isNewer(target, computer.version)) {
		return {
			refused: {
				status: 409,
				code: 'up_to_date',
				message: `The computer already runs version ${computer.version}`,
				computer,
			},
		};
	}
	return canRun(world, world.now) ? begin('updating', { targetVersion: target }) : noCredits;
}

function publish(world: WorldState, computer: Computer, port: number): Outcome {
	if (!computer.ports.some(each => each.port === port)) {
		computer.ports = [...computer.ports, publishedPort(world, computer.number, port)];
	}
	return { done: computer };
}

function unpublish(computer: Computer, port: number): Outcome {
	const ports = computer.ports.filter(each => each.port !== port);
	if (ports.length === computer.ports.length) {
		return refused(404, 'port_not_published', `Port ${port} is not published`);
	}
	computer.ports = ports;
	return { done: computer };
}
