import { allPortsOf } from '../fleet/computers/computer.ts';
import { type GlobalId, globalIdOf, idsWithin } from '../fleet/computers/global-id.ts';
import { uptimeOf } from '../fleet/computers/uptime.ts';
import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails, Target } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { strictnessOf } from '../fleet/operations/strictness.ts';
import { countText } from '../foundation/number-text.ts';
import { createRowAge, statusAnswerOf } from '../store/freshness.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import type { OpenAccount } from './account.ts';
import { commandLineOf, commandValuesOf } from './command-line.ts';
import {
	buildQuestion,
	computerNameOf,
	isAnswered,
	type Question,
	type QuestionPart,
	type SkippedTarget,
} from './question-wording.ts';
import {
	type OperationsByComputer,
	obstacleTo,
	readOnlyText,
	unfinishedByComputer,
	whatOthersDo,
	whyBusy,
} from './why-not.ts';

/** One question is about at most this many computers. */
const maxTargets = 500;

export type AskOptions = OperationDetails & {
	openingKey?: string | undefined;
	/** The account in which a new computer is created, if there are several accounts. */
	account?: string | undefined;
	/**
	 * Whether a question is asked although a setting has switched it off, because a person may not have seen yet what the
	 * key is about.
	 */
	asksAnyway?: boolean | undefined;
	/**
	 * Whether the question offers to start the computers that are stopped before the operation, or the person has chosen
	 * that.
	 */
	starting?: Question['starting'];
};

type RefusedOperation = { operation: OperationId; port: number | undefined };

/** Why an operation is refused before its request is sent. */
export type Refusal = {
	reason:
		| 'read-only'
		| 'locked'
		/** The operation is not possible here at all, for the reason in its row of the table. */
		| 'barred'
		/** The program is about to exit. */
		| 'closing'
		/** No computer accepts the operation; `skipped` has the reason for each one. */
		| 'not-allowed'
		| 'too-many'
		/** The question is no longer open, or not every step is answered. */
		| 'no-answer';
	message: string;
	skipped: readonly SkippedTarget[];
	/** What the skipped computers do not accept. */
	refused?: RefusedOperation;
};

/** The result of a question whose operations have begun. */
export type BegunOperations = {
	type: 'begun';
	operations: readonly { account: string; spec: OperationSpec }[];
	/** The computers of the operations. */
	ids: readonly GlobalId[];
};

/** The result of asking for an operation: a question, operations that need none, or a refusal. */
export type AskResult =
	| { type: 'question'; question: Question }
	| BegunOperations
	| { type: 'refused'; refusal: Refusal };

export type AnswerResult = Exclude<AskResult, { type: 'question' }>;

export type Refused = Extract<AskResult, { type: 'refused' }>;

export const refusedBecause = (
	reason: Refusal['reason'],
	message: string,
	skipped: readonly SkippedTarget[] = [],
	refused?: RefusedOperation,
): Refused => ({ type: 'refused', refusal: { reason, message, skipped, refused } });

type CaptureOptions = AskOptions & {
	id: string;
	operation: OperationId;
	ids: readonly GlobalId[];
	accounts: readonly OpenAccount[];
	now: number;
};

/**
 * Captures the computers that accept an operation now, and builds the question about them. Nothing reads the selection
 * again afterwards. A question without steps needs no answer.
 */
export function captureQuestion(options: CaptureOptions): Question | Refused {
	const { id, operation, ids, accounts, now } = options;
	const { openingKey, account, asksAnyway, starting, ...rest } = options;
	const { port, name, provider } = rest;
	const details: OperationDetails = { port, name, provider };
	const row = operationRowOf(operation);
	if (row.ownCommand?.on === 'one' && ids.length > 1)
		return refusedBecause('not-allowed', runsOnOneText(row.label, ids.length));
	const isCreate = row.subject === 'account';
	const capture = (startsStopped: boolean) =>
		isCreate
			? { parts: partsOfCreate(accounts, account), skipped: [] }
			: partsWithTargets(accounts, operation, ids, details, now, startsStopped);
	const withoutStart = capture(false);
	const withStart = starting && capture(true);
	const startableCount = withStart ? countOf(withStart) - countOf(withoutStart) : 0;
	// If all are stopped, there is nothing else to ask for.
	const isChosen = starting === 'chosen' || countOf(withoutStart) === 0;
	const { parts, skipped } = (isChosen && withStart) || withoutStart;
	const count = countOf({ parts });
	if (parts.length === 0 && isCreate) return refusedBecause('read-only', readOnlyText);
	if (parts.length === 0) return refusalWithoutTargets(skipped, { operation, port });
	if (count > maxTargets) return refusedBecause('too-many', tooManyText(count));
	const allowed = strictnessOf(
		row,
		count,
		parts.map(({ profile: { isProduction }, strictness }) => {
			return { setting: strictness?.[operation], isProduction };
		}),
	);
	return buildQuestion({
		id,
		operation,
		parts,
		skipped,
		details,
		strictness: allowed === 'off' && asksAnyway && row.changes ? 'ask' : allowed,
		starting: startableCount > 0 ? (isChosen ? 'chosen' : 'offered') : undefined,
		openingKey,
		namesAccount: accounts.length > 1,
		now,
	});
}

const countOf = ({ parts }: { parts: readonly QuestionPart[] }) =>
	parts.reduce((count, { targets }) => count + targets.length, 0);

const runsOnOneText = (label: string, count: number) =>
	`${label} runs on one computer at a time, and ${count} are marked. Esc unmarks them`;

const tooManyText = (count: number) =>
	`At most ${maxTargets} computers at a time, and these are ${countText(count)}: narrow the filter or mark fewer`;

function refusalWithoutTargets(skipped: readonly SkippedTarget[], refused: RefusedOperation) {
	const message =
		skipped.length > 0 ? 'No computer accepts the operation' : 'No computer is selected';
	return refusedBecause('not-allowed', message, skipped, refused);
}

/** Returns why the open question cannot be answered like this; undefined if its operations may begin. */
export function problemWithAnswers(
	answered: Question,
	accounts: readonly OpenAccount[],
): Refused | undefined {
	if (!isAnswered(answered))
		return refusedBecause('no-answer', 'Some parts of the question are not answered yet');
	const { targets } = answered;
	const isGone = ({ account, id }: Target) =>
		accounts.some(
			({ profile, state }) => profile.account === account && !state().computers.has(id),
		);
	const [only] = targets;
	if (!only || !targets.every(isGone)) return undefined;
	const who = targets.length === 1 ? `${only.name} no longer exists` : 'None of them exists';
	return refusedBecause('not-allowed', `${who}: nothing was sent`);
}

/** Returns the accounts in which a computer can be created. The chosen one, which a person can change, comes first. */
function partsOfCreate(accounts: readonly OpenAccount[], chosen: string | undefined) {
	const isChosen = ({ profile }: OpenAccount) => profile.account === chosen;
	return accounts
		.filter(({ profile }) => !profile.isReadOnly)
		.toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
		.map(each => partOf(each, []));
}

const partOf = (
	{ profile, state, limiter, commandOptions = [], questionStrictness }: OpenAccount,
	targets: readonly Target[],
): QuestionPart => ({
	profile,
	state: state(),
	targets,
	slots: limiter.slots(),
	commandOptions,
	strictness: questionStrictness,
});

/** Captures the computers that accept the operation, by account. Computers of read-only accounts are skipped. */
function partsWithTargets(
	accounts: readonly OpenAccount[],
	operation: OperationId,
	globalIds: readonly GlobalId[],
	details: OperationDetails,
	now: number,
	startsStopped: boolean,
): { parts: readonly QuestionPart[]; skipped: readonly SkippedTarget[] } {
	const parts: QuestionPart[] = [];
	const skipped: SkippedTarget[] = [];
	for (const each of accounts) {
		const { account, name, isReadOnly } = each.profile;
		const ids = idsWithin(account, globalIds);
		if (ids.length === 0) continue;
		const state = each.state();
		if (isReadOnly && operationRowOf(operation).changes) {
			const reason = `${name} is read-only`;
			const nameOf = (id: string) => computerNameOf(state.computers.get(id)) ?? id;
			skipped.push(...ids.map(id => ({ account, id, name: nameOf(id), reason })));
			continue;
		}
		const source: TargetSource = {
			account,
			state,
			accountName: name,
			publicAddress: each.platform.publicAddress,
			unfinished: unfinishedByComputer(state.operations, now),
		};
		const captured = captureTargets(source, operation, ids, details, now);
		const started = startsStopped ? startableTargets(source, operation, captured.skipped, now) : [];
		const startedIds = new Set(started.map(({ id }) => id));
		skipped.push(...captured.skipped.filter(({ id }) => !startedIds.has(id)));
		const targets = [...captured.targets, ...started];
		if (targets.length > 0) parts.push(partOf(each, targets));
	}
	return { parts, skipped };
}

type TargetSource = {
	account: string;
	state: AccountState;
	/** The name of the account's profile. */
	accountName: string;
	publicAddress: (id: string, port: number) => string;
	unfinished: OperationsByComputer;
};

/** Captures the computers that accept an operation now, and the reasons why others are skipped. */
export function captureTargets(
	source: TargetSource,
	operation: OperationId,
	ids: readonly string[],
	details: OperationDetails,
	now: number,
): { targets: readonly Target[]; skipped: readonly SkippedTarget[] } {
	const { account, state, unfinished } = source;
	const targets: Target[] = [];
	const skipped: SkippedTarget[] = [];
	const { ownCommand } = operationRowOf(operation);
	const rowAge = createRowAge(state, now);
	for (const id of new Set(ids)) {
		const computer = state.computers.get(id);
		const refused = obstacleTo(state, operation, computer, details);
		const obstacle = refused?.reason ?? whyBusy(unfinished, id, operation);
		const run =
			ownCommand && computer && commandLineOf(ownCommand, commandValuesOf(source, computer));
		const reason = obstacle ?? (run && 'problem' in run ? run.problem : undefined);
		if (computer && reason === undefined) {
			const isOld = rowAge(computer) === 'old';
			const commandLine = run && 'commandLine' in run ? run.commandLine : undefined;
			targets.push({ ...targetFrom(source, computer, isOld, now), commandLine });
			continue;
		}
		const name = computerNameOf(computer) ?? id;
		skipped.push({ account, id, name, reason: reason ?? '', isSo: refused?.isSo });
	}
	return { targets, skipped };
}

/** Returns the computers that only have to be started to accept the operation. */
function startableTargets(
	source: TargetSource,
	operation: OperationId,
	skipped: readonly SkippedTarget[],
	now: number,
): readonly Target[] {
	const { state } = source;
	const ids = skipped.flatMap(({ id }) => {
		const computer = state.computers.get(id);
		if (computer?.phase !== 'stopped') return [];
		const started = { ...computer, phase: 'active' } as const;
		return obstacleTo(state, operation, started, {}) === undefined ? [id] : [];
	});
	const { targets } = captureTargets(source, 'start', ids, {}, now);
	return targets.map(target => ({ ...target, startsFirst: true }));
}

function targetFrom(
	{ account, state }: TargetSource,
	computer: ComputerState,
	isOld: boolean,
	now: number,
): Target {
	const { id, phase, reading } = computer;
	const isError = phase === 'error';
	// If the data is old, the computer has been running for at least as long as at the time of the last read.
	const readAt = statusAnswerOf(state, computer)?.at ?? now;
	const uptime = uptimeOf(computer, Math.min(now, readAt));
	return {
		account,
		id,
		name: computerNameOf(computer) ?? id,
		phase,
		version: reading.version,
		uptime: uptime && { ...uptime, isLowerBound: uptime.isLowerBound || isOld },
		ports: allPortsOf(reading)?.map(({ port }) => port),
		error: isError ? reading.error : undefined,
		storage: reading.storage ?? undefined,
		neverRan: (isError && !reading.version && typeof reading.startedAt !== 'number') || undefined,
	};
}

type TargetChange = Pick<Target, 'account' | 'id' | 'name'> & { description: string };

/**
 * Returns how the targets of a question have changed since the question opened. The question shows the changes but
 * keeps its targets, so that the person decides.
 */
export function targetChangesIn(
	{ targets, operation }: Pick<Question, 'targets' | 'operation'>,
	stateOf: (account: string) => Pick<AccountState, 'computers' | 'operations'> | undefined,
): readonly TargetChange[] {
	const unfinished = new Map<string, OperationsByComputer>();
	return targets.flatMap(target => {
		const { account, id, name } = target;
		const state = stateOf(account);
		const computer = state?.computers.get(id);
		if (!state || !computer) return [{ account, id, name, description: 'is gone' }];
		const busy = unfinished.get(account) ?? unfinishedByComputer(state.operations);
		unfinished.set(account, busy);
		const { phase, reading, isMissing } = computer;
		const other = whatOthersDo(busy, id, operation);
		const nameNow = reading.name || id;
		// A version that was unknown before does not count as changed.
		const hasOtherVersion =
			Boolean(target.version && reading.version) && target.version !== reading.version;
		const changes = [
			...(other === undefined ? [] : [`is busy: ${other}`]),
			...(isMissing ? ['is no longer known to the platform'] : []),
			...(phase === target.phase ? [] : [`is ${phase} now`]),
			...(nameNow === name ? [] : [`is called ${nameNow} now`]),
			...(hasOtherVersion ? [`runs version ${reading.version} now`] : []),
		];
		return changes.length > 0 ? [{ account, id, name, description: changes.join(', ') }] : [];
	});
}

export const idsOfTargets = ({ targets }: Pick<Question, 'targets'>): readonly GlobalId[] =>
	targets.map(({ account, id }) => globalIdOf(account, id));
