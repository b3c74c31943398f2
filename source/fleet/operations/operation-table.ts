import { durationText, minuteMs, secondMs } from '../../foundation/duration.ts';
import { amountText, countText } from '../../foundation/number-text.ts';
import { weekdayTimeText } from '../../lines/time-text.ts';
import { renewsAtOf } from '../computers/account.ts';
import { existingPhases, type Phase, type Reading } from '../computers/computer.ts';
import { timeLeftAt } from '../computers/runway.ts';
import { idleLimitMsOf } from '../computers/stop-reason.ts';
import { compareVersions } from '../filters/order.ts';
import type { OperationId } from './operation.ts';
import {
	type OperationRow,
	ownCommandNameOf,
	type QuestionContext,
	type SkippedComputer,
	type Target,
} from './operation-row.ts';

// The documentation does not say what the platform refuses, so the platform decides in doubt.
const phasesThatMayRun: readonly Phase[] = ['active', 'error', 'unknown'];
export const commonRow = {
	subject: 'computer',
	evidence: 'status',
	changes: true,
	endsProcesses: false,
	asks: 'ask',
	mayBeUnasked: false,
	needsLatestVersion: false,
	scope: 'other',
	overdueAfterMs: minuteMs,
} as const;

/** A short consequence fits into the 24 cells of the smallest dialog. */
const builtInRows = {
	create: {
		...commonRow,
		label: 'Create',
		verbInHelp: 'creates',
		doingLabel: 'Creating',
		doneLabel: 'created',
		help: 'create a computer',
		key: 'n',
		hint: { rank: 6, drop: 16 },
		commandName: 'new',
		examples: ['', '--name atlas --yes --wait', '--yes --json'],
		subject: 'account',
		allowedFrom: [],
		goal: { reaches: 'phase', phase: 'active', intermediatePhase: 'creating' },
		evidence: 'list',
		questionLines: (_, context) => [
			`Once ready, it burns credits until stopped${idleText(context)}.`,
			...moneyLines(1, context),
			remainingCreatesText(context),
			...usualDurationText(context),
		],
		scope: 'create',
		overdueAfterMs: 5 * minuteMs,
	},
	start: {
		...commonRow,
		label: 'Start',
		verbInHelp: 'starts',
		doingLabel: 'Starting',
		doneLabel: 'started',
		help: 'start computers',
		key: 's',
		hint: { rank: 3, drop: 4 },
		commandName: 'start',
		examples: ['atlas', 'atlas borealis --yes --wait'],
		allowedFrom: ['stopped', 'error', 'unknown'],
		seldomHelpsIn: ['error'],
		goal: { reaches: 'phase', phase: 'active', intermediatePhase: 'starting' },
		mayBeUnasked: true,
		questionLines(targets, context) {
			const { they, s } = wordsFor(context);
			return [
				`${they} run${s} and burn${s} credits until stopped${idleText(context)}.`,
				...moneyLines(targets.length, context),
			];
		},
	},
	stop: {
		...commonRow,
		label: 'Stop',
		verbInHelp: 'stops',
		doingLabel: 'Stopping',
		doneLabel: 'stopped',
		help: 'stop computers; files and processes are kept',
		key: 'x',
		hint: { rank: 3, drop: 4 },
		commandName: 'stop',
		examples: ['atlas', "--filter 'status:active name:test-' --yes"],
		allowedFrom: ['active', 'unknown'],
		refusalReasons: { stopped: 'already stopped', error: 'in error, only a restart may help' },
		goal: { reaches: 'phase', phase: 'stopped', intermediatePhase: 'stopping' },
		endsProcesses: true,
		questionLines(targets, context) {
			const { they, s } = wordsFor(context);
			return [
				`${they} stop${s} answering until started again. Files and processes are kept.`,
				...darkAddresses(targets, context),
				...moneyLines(-activeCountIn(targets), context),
			];
		},
	},
	restart: {
		...commonRow,
		label: 'Restart',
		verbInHelp: 'restarts',
		doingLabel: 'Restarting',
		doneLabel: 'restarted',
		help: 'restart computers; /workspace is kept',
		key: 'r',
		hint: { rank: 3, drop: 5 },
		commandName: 'restart',
		examples: ['atlas --yes --wait --timeout 120'],
		allowedFrom: phasesThatMayRun,
		goal: { reaches: 'newStart', intermediatePhase: 'restarting' },
		endsProcesses: true,
		asks: 'wait',
		questionLines: (_, context) => [
			`${wordsFor(context).their} running processes end. /workspace is kept.`,
		],
		overdueAfterMs: 90 * secondMs,
	},
	update: {
		...commonRow,
		label: 'Update',
		verbInHelp: 'updates',
		doingLabel: 'Updating',
		doneLabel: 'updated',
		help: 'update computers to the latest version; /workspace is kept',
		key: 'u',
		hint: { rank: 3, drop: 7 },
		commandName: 'update',
		examples: ["--filter 'version:<1.4' --yes"],
		allowedFrom: ['active', 'unknown'],
		goal: { reaches: 'version', intermediatePhase: 'updating' },
		endsProcesses: true,
		asks: 'wait',
		needsLatestVersion: true,
		questionLines(targets, context) {
			const { their, restart } = wordsFor(context);
			return [
				versionText(targets, context),
				`${their} container${restart}: running processes end. /workspace is kept.`,
				'There is no automatic rollback.',
			];
		},
		overdueAfterMs: 5 * minuteMs,
	},
	delete: {
		...commonRow,
		label: 'Delete',
		verbInHelp: 'deletes',
		doingLabel: 'Deleting',
		doneLabel: 'deleted',
		help: 'delete computers and all their data for good',
		key: 'D',
		hint: { rank: 7, drop: 19 },
		commandName: 'delete',
		examples: ['atlas', "--filter 'name:test- status:stopped' --yes"],
		allowedFrom: existingPhases,
		goal: { reaches: 'gone' },
		endsProcesses: true,
		asks: 'type',
		questionLines: (targets, context) => [
			`Erases ${wordsFor(context).them} for good: workspace, chat history, packages, settings.`,
			...moneyLines(-activeCountIn(targets), context),
		],
	},
	publish: {
		...commonRow,
		label: 'Publish',
		verbInHelp: 'publishes',
		doingLabel: 'Publishing',
		doneLabel: 'published',
		help: 'publish a port',
		key: 'p',
		hint: { rank: 5, drop: 13 },
		commandName: 'publish',
		examples: ['atlas 8080', 'atlas 8080 --yes --json'],
		subject: 'port',
		allowedFrom: ['active', 'unknown'],
		goal: { reaches: 'published' },
		evidence: 'detail',
		questionLines: () => [
			'Treat it as public: anyone with the address can reach what listens there.',
			'It stays published as long as an application listens on that port.',
		],
		overdueAfterMs: 30 * secondMs,
	},
	unpublish: {
		...commonRow,
		label: 'Unpublish',
		verbInHelp: 'unpublishes',
		doingLabel: 'Unpublishing',
		doneLabel: 'unpublished',
		help: 'unpublish a port',
		key: 'P',
		hint: { rank: 5, drop: 18 },
		commandName: 'unpublish',
		examples: ['atlas 8080 --yes'],
		subject: 'port',
		allowedFrom: existingPhases,
		goal: { reaches: 'unpublished' },
		evidence: 'detail',
		asks: 'wait',
		questionLines: () => [
			'The public address stops answering, and links that were shared may not come back.',
			'The application itself keeps running.',
		],
		overdueAfterMs: 30 * secondMs,
	},
} as const satisfies Readonly<Record<string, OperationRow>>;

export type BuiltInOperationId = keyof typeof builtInRows;

export const builtInOperationIds = Object.keys(builtInRows) as readonly BuiltInOperationId[];

const rows = new Map<string, OperationRow>(Object.entries(builtInRows));

export const operationIds = (): readonly string[] => [...rows.keys()];

export const operationIdsText = () =>
	operationIds()
		.join(', ')
		.replace(/, (?=[^,]*$)/, ' or ');

/** A file may name an operation of another version: it is shown by its id, and no computer accepts it. */
export function operationRowOf(id: string): OperationRow {
	return rows.get(id) ?? unknownRow(id);
}

export const stopsForLong = ({ goal }: Pick<OperationRow, 'goal'>) =>
	goal.reaches === 'phase' && goal.phase === 'stopped';

export const stopsComputer = ({ endsProcesses, goal }: OperationRow) =>
	endsProcesses || stopsForLong({ goal });

export function addOperation(id: string, row: OperationRow): () => void {
	rows.set(id, row);
	return () => {
		if (rows.get(id) === row) rows.delete(id);
	};
}

function unknownRow(id: string): OperationRow {
	const name = ownCommandNameOf(id) ?? id;
	return {
		...commonRow,
		label: name,
		verbInHelp: name,
		doingLabel: `Running ${name}`,
		doneLabel: `processed with ${name}`,
		help: id,
		commandName: id,
		allowedFrom: [],
		goal: { reaches: 'exit' },
		questionLines: () => [],
	};
}

export type Obstacle = Pick<SkippedComputer, 'reason' | 'isSo'>;

const reasonsByPhase: Readonly<Record<Phase, string>> = {
	creating: 'still being created',
	active: 'already running',
	stopped: 'stopped, must be started first',
	error: 'in error',
	stopping: 'stopping now',
	starting: 'starting now',
	restarting: 'restarting now',
	updating: 'being updated now',
	archived: 'removed, only its record is kept',
	pooled: 'held in reserve by the platform',
	unknown: 'in an unknown status',
};

export function obstacleInPhase(operation: OperationId, phase: Phase): Obstacle | undefined {
	const { subject, allowedFrom, refusalReasons, goal } = operationRowOf(operation);
	if (subject === 'account' || allowedFrom.includes(phase)) return undefined;
	const reason = refusalReasons?.[phase] ?? reasonsByPhase[phase];
	return goal.reaches === 'phase' && goal.phase === phase ? { reason, isSo: true } : { reason };
}

export function obstacleOn(
	operation: OperationId,
	{ phase, reading: { version, ports } }: { phase: Phase; reading: Reading },
	latestVersion: string | undefined,
): Obstacle | undefined {
	const { goal } = operationRowOf(operation);
	const isNewest =
		version && latestVersion !== undefined && compareVersions(version, latestVersion) >= 0;
	if (goal.reaches === 'version' && isNewest && phase !== 'archived')
		return { reason: `already on ${version}, the latest`, isSo: true };
	if (goal.reaches === 'unpublished' && ports?.length === 0)
		return { reason: 'no port is published', isSo: true };
	return obstacleInPhase(operation, phase);
}

// The lines of a question promise only what the documentation of the platform promises.

const wordsFor = ({ areSeveral }: QuestionContext) =>
	areSeveral
		? { they: 'They', them: 'them', their: 'Their', s: '', restart: 's restart' }
		: { they: 'It', them: 'it', their: 'Its', s: 's', restart: ' restarts' };

function remainingCreatesText({
	createSlots: { limit, free, nextAt },
	now,
}: QuestionContext): string {
	if (free.operation > 0) return `${free.operation} of ${limit} creations left this hour.`;
	const wait = durationText(nextAt.operation - now);
	return `No creations left this hour (${limit} allowed): this creation waits ${wait}; Esc cancels it.`;
}

function idleText({ subscription }: QuestionContext): string {
	const limit = idleLimitMsOf(subscription?.plan) ?? Infinity;
	if (!subscription || !Number.isFinite(limit)) return '';
	return ` or idle for ${durationText(limit)} (${subscription.planName})`;
}

const activeCountIn = (targets: readonly Target[]) =>
	targets.filter(({ phase }) => phase === 'active').length;

/** The platform reports no prices, so what an active computer has cost lately serves as the estimate. */
function moneyLines(
	moreActive: number,
	{ credits, runway, subscription, now }: QuestionContext,
): readonly string[] {
	if (moreActive > 0 && credits?.canRun === false)
		return ['The platform reports too few credits to run a computer.'];
	const balance = credits?.balance;
	if (typeof balance !== 'number' || moreActive === 0) return [];
	const left = amountText(balance);
	if (!runway || runway.eachPerHour === undefined || runway.eachPerHour <= 0)
		return moreActive > 0 ? [`${left} credits left; the price is unknown.`] : [];
	const more = runway.eachPerHour * moreActive;
	if (Math.abs(more) < 0.005)
		return moreActive > 0 ? [`${left} credits left, at less than 0.01 an hour.`] : [];
	const verb = more > 0 ? 'Costs' : 'Saves';
	const before = timeLeftAt(balance, runway.burnPerHour);
	const after = timeLeftAt(balance, runway.burnPerHour + more);
	const begin = `${verb} about ${amountText(Math.abs(more))} an hour;`;
	if (after === null) return [`${begin} then none are spent.`];
	const [lasts, lasted] = [after, before ?? after].map(durationText);
	const instead = lasts === lasted ? '' : ` instead of ${lasted}`;
	const renewsAt = renewsAtOf(subscription) ?? 0;
	const renewal =
		renewsAt <= now || now + after < renewsAt
			? ''
			: `; renews ${weekdayTimeText(renewsAt, now)}, amount unknown`;
	return [`${begin} credits then last ${lasts}${instead}${renewal}.`];
}

function usualDurationText({ usualDurationMs: time }: QuestionContext): readonly string[] {
	return time === undefined ? [] : [`It usually takes ${durationText(time)} to be ready.`];
}

function versionText(targets: readonly Target[], { release, areSeveral }: QuestionContext): string {
	const { version: to = 'the latest version', title } = release ?? {};
	const counts = new Map<string, number>();
	for (const { version } of targets) {
		const from = version === undefined ? 'version not read yet' : version || 'unknown';
		counts.set(from, (counts.get(from) ?? 0) + 1);
	}
	const moves = [...counts].map(([from, count]) =>
		areSeveral ? `${from} → ${to} (${count})` : `${from} → ${to}`,
	);
	return `${moves.join(', ')}${title ? `: ${title}` : ''}`;
}

const maxAddressesShown = 3;

function darkAddresses(
	targets: readonly Target[],
	{ areSeveral }: QuestionContext,
): readonly string[] {
	const publishing = targets.filter(({ ports }) => ports !== undefined && ports.length > 0);
	const shown = publishing.slice(0, maxAddressesShown);
	const more = publishing.length - shown.length;
	const texts = shown.map(({ name, ports = [] }) =>
		areSeveral ? `${name} ${ports.join(' ')}` : `port ${ports.join(' ')}`,
	);
	if (texts.length === 0) return [];
	const rest = more > 0 ? ` and those of ${countText(more)} more` : '';
	return [`Public addresses go dark: ${texts.join(', ')}${rest}.`];
}
