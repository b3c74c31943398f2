import type { Computer, LifecycleState } from './computer.ts';
import { canRun, enterState } from './lifecycle.ts';
import { addComputer, createPublishedPort, startProvisioning } from './population.ts';
import { isNewer, latestOf } from './releases.ts';
import type { WorldState } from './world-state.ts';

/** The reason why the platform refuses a request. */
export type Refusal = {
	status: number;
	code: string;
	message: string;
	/** The computer, if its state is the reason for the refusal. */
	computer?: Computer;
	/** Whether the platform would accept the request after a payment. */
	isPayable?: boolean;
};

export type OperationResult = { done: Computer } | { refused: Refusal };

export type OperationName =
	| 'start'
	| 'stop'
	| 'restart'
	| 'update'
	| 'delete'
	| 'publish'
	| 'unpublish';

const allowedStatesByOperation: Readonly<Record<OperationName, readonly LifecycleState[]>> = {
	start: ['stopped'],
	stop: ['active'],
	restart: ['active', 'error'],
	update: ['active'],
	delete: ['provisioning', 'active', 'stopped', 'error'],
	publish: ['active'],
	unpublish: ['active', 'stopped'],
};

const settledStates: readonly LifecycleState[] = ['active', 'stopped', 'error', 'archived'];

const refusedWith = (status: number, code: string, message: string): { refused: Refusal } => ({
	refused: { status, code, message },
});

const refusedForCredits = {
	refused: {
		status: 402,
		code: 'insufficient_credits',
		message: 'No credits are left',
		isPayable: true,
	},
};

export function createComputer(world: WorldState, name?: string): OperationResult {
	if (!canRun(world, world.now)) return refusedForCredits;
	const computer = addComputer(world, world.now, name);
	startProvisioning(world, computer, world.now);
	return { done: computer };
}

/** Carries out an operation on an existing computer, or refuses it. */
export function operate(
	world: WorldState,
	operation: OperationName,
	computer: Computer,
	{ version, port }: { version?: string; port?: number } = {},
): OperationResult {
	const refusal = refusalOf(operation, computer);
	if (refusal) return { refused: refusal };
	const enter = (state: LifecycleState, changes: Partial<Computer> = {}): OperationResult => {
		enterState(world, computer, state, world.now, changes);
		return { done: computer };
	};
	switch (operation) {
		case 'start':
			return canRun(world, world.now) ? enter('starting', { stoppedBy: null }) : refusedForCredits;
		case 'stop':
			return enter('stopping', { stoppedBy: 'owner' });
		case 'restart':
			return canRun(world, world.now) ? enter('restarting', { error: null }) : refusedForCredits;
		case 'update':
			return updateComputer(world, computer, version, enter);
		case 'delete':
			deleteComputer(world, computer);
			return { done: computer };
		case 'publish':
			return publishPort(world, computer, port ?? 0);
		case 'unpublish':
			return unpublishPort(computer, port ?? 0);
	}
}

/** Deletes a computer. Its record stays in the archive, because some services still list deleted computers. */
export function deleteComputer(world: WorldState, computer: Computer): void {
	world.computers.delete(computer.id);
	world.deletedComputers.push(computer);
	enterState(world, computer, 'archived', world.now, { ports: [], startedAt: null });
}

function refusalOf(operation: OperationName, computer: Computer): Refusal | undefined {
	if (allowedStatesByOperation[operation].includes(computer.state)) return undefined;
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

function updateComputer(
	world: WorldState,
	computer: Computer,
	requestedVersion: string | undefined,
	enter: (state: LifecycleState, changes: Partial<Computer>) => OperationResult,
): OperationResult {
	const target = requestedVersion ?? latestOf(world.releases).version;
	if (!world.releases.some(({ version }) => version === target)) {
		return refusedWith(400, 'unknown_version', `There is no version ${target}`);
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
	return canRun(world, world.now)
		? enter('updating', { targetVersion: target })
		: refusedForCredits;
}

function publishPort(world: WorldState, computer: Computer, port: number): OperationResult {
	if (!computer.ports.some(publishedPort => publishedPort.port === port)) {
		computer.ports = [...computer.ports, createPublishedPort(world, computer.number, port)];
	}
	return { done: computer };
}

function unpublishPort(computer: Computer, port: number): OperationResult {
	const ports = computer.ports.filter(publishedPort => publishedPort.port !== port);
	if (ports.length === computer.ports.length) {
		return refusedWith(404, 'port_not_published', `Port ${port} is not published`);
	}
	computer.ports = ports;
	return { done: computer };
}
