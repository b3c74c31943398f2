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
import { commandLineOf, commandValuesOf } from './command-line.ts';
import {
	type AskedAccount,
	buildQuestion,
	computerNameOf,
	isAnswered,
	type Question,
	type QuestionPart,
	type SkippedTarget,
} from './question-wording.ts';
import { obstacleTo, readOnlyText, whatOthersDo, whyBusy } from './why-not.ts';

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
	accounts: readonly AskedAccount[];
	now: number;
};

/**
 * Captures the computers that accept an operation now, and builds the question about them. Nothing reads the selection
 * again afterwards. A question without steps needs no answer.
 */
export function captureQuestion(options: CaptureOptions): Question | Refused {
	const { id, operation, ids, accounts, now, openingKey, asksAnyway, starting } = options;
	const { port, name, provider } = options;
	const details: OperationDetails = { port, name, provider };
	const row = operationRowOf(operation);
	if (row.ownCommand?.on === 'one' && ids.length > 1)
		return refusedBecause('not-allowed', runsOnOneText(row.label, ids.length));
	const isCreate = row.subject === 'account';
	const captured = isCreate
		? accountsForCreate(accounts, options.account)
		: accounts.map(each => captureIn(each, operation, ids, details, now, starting !== undefined));
	const isAnyStartable = captured.some(({ startable }) => startable.length > 0);
	// If all are stopped, there is nothing else to ask for.
	const isAnyReady = captured.some(({ targets }) => targets.length > 0);
	const isChosen = isAnyStartable && (starting === 'chosen' || !isAnyReady);
	const all = captured.map(({ account, targets, startable, skipped }) => {
		if (!isChosen) return { account, targets, skipped };
		const started = new Set(startable.map(target => target.id));
		return {
			account,
			targets: [...targets, ...startable],
			skipped: skipped.filter(each => !started.has(each.id)),
		};
	});
	const parts = all.filter(({ targets }) => isCreate || targets.length > 0);
	const skipped = all.flatMap(each => each.skipped);
	const count = parts.reduce((sum, { targets }) => sum + targets.length, 0);
	if (parts.length === 0 && isCreate) return refusedBecause('read-only', readOnlyText);
	if (parts.length === 0) return refusalWithoutTargets(skipped, { operation, port });
	if (count > maxTargets) return refusedBecause('too-many', tooManyText(count));
	const strictness = strictnessOf(
		row,
		count,
		parts.map(({ account: { profile, questionStrictness } }) => {
			return { setting: questionStrictness?.[operation], isProduction: profile.isProduction };
		}),
	);
	const offered = isAnyStartable ? 'offered' : undefined;
	return buildQuestion(
		{
			id,
			operation,
			skipped,
			details,
			starting: isChosen ? 'chosen' : offered,
			openingKey,
			namesAccount: accounts.length > 1,
		},
		parts,
		strictness === 'off' && asksAnyway && row.changes ? 'ask' : strictness,
		now,
	);
}

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
	accounts: readonly AskedAccount[],
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

type Captured = QuestionPart & {
	/** The computers that only have to be started to accept the operation. */
	startable: readonly Target[];
	skipped: readonly SkippedTarget[];
};

/** Returns the accounts in which a computer can be created. The chosen one, which a person can change, comes first. */
function accountsForCreate(
	accounts: readonly AskedAccount[],
	chosen: string | undefined,
): readonly Captured[] {
	const isChosen = ({ profile }: AskedAccount) => profile.account === chosen;
	return accounts
		.filter(({ profile }) => !profile.isReadOnly)
		.toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
		.map(account => ({ account, targets: [], startable: [], skipped: [] }));
}

/** Captures the computers of an account that accept the operation. Those of a read-only account are skipped. */
function captureIn(
	account: AskedAccount,
	operation: OperationId,
	globalIds: readonly GlobalId[],
	details: OperationDetails,
	now: number,
	canStart: boolean,
): Captured {
	const { account: key, name: accountName, isReadOnly } = account.profile;
	const { computers } = account.state();
	const ids = idsWithin(key, globalIds);
	if (isReadOnly && operationRowOf(operation).changes) {
		const skipped = ids.map(id => {
			const name = computerNameOf(computers.get(id)) ?? id;
			return { account: key, id, name, reason: `${accountName} is read-only` };
		});
		return { account, targets: [], startable: [], skipped };
	}
	const captured = captureTargets(account, operation, ids, details, now);
	const startable = canStart ? startableTargets(account, operation, captured.skipped, now) : [];
	return { account, ...captured, startable };
}

/** Captures the computers that accept an operation now, and the reasons why others are skipped. */
export function captureTargets(
	account: AskedAccount,
	operation: OperationId,
	ids: readonly string[],
	details: OperationDetails,
	now: number,
): { targets: readonly Target[]; skipped: readonly SkippedTarget[] } {
	const state = account.state();
	const targets: Target[] = [];
	const skipped: SkippedTarget[] = [];
	const { ownCommand } = operationRowOf(operation);
	const rowAge = createRowAge(state, now);
	for (const id of new Set(ids)) {
		const computer = state.computers.get(id);
		const refused = obstacleTo(state, operation, computer, details);
		const obstacle = refused?.reason ?? whyBusy(state, operation, id, now);
		const run =
			ownCommand && computer && commandLineOf(ownCommand, commandValuesOf(account, computer));
		const reason = obstacle ?? (run && 'problem' in run ? run.problem : undefined);
		const key = account.profile.account;
		if (computer && reason === undefined) {
			const isOld = rowAge(computer) === 'old';
			const commandLine = run && 'commandLine' in run ? run.commandLine : undefined;
			targets.push({ ...targetFrom(key, state, computer, isOld, now), commandLine });
			continue;
		}
		const name = computerNameOf(computer) ?? id;
		skipped.push({ account: key, id, name, reason: reason ?? '', isSo: refused?.isSo });
	}
	return { targets, skipped };
}

/** Returns the computers that only have to be started to accept the operation. */
function startableTargets(
	account: AskedAccount,
	operation: OperationId,
	skipped: readonly SkippedTarget[],
	now: number,
): readonly Target[] {
	const state = account.state();
	const ids = skipped.flatMap(({ id }) => {
		const computer = state.computers.get(id);
		if (computer?.phase !== 'stopped') return [];
		const started = { ...computer, phase: 'active' } as const;
		return obstacleTo(state, operation, started, {}) === undefined ? [id] : [];
	});
	const { targets } = captureTargets(account, 'start', ids, {}, now);
	return targets.map(target => ({ ...target, startsFirst: true }));
}

function targetFrom(
	account: string,
	state: AccountState,
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
	return targets.flatMap(target => {
		const { account, id, name } = target;
		const state = stateOf(account);
		const computer = state?.computers.get(id);
		if (!state || !computer) return [{ account, id, name, description: 'is gone' }];
		const { phase, reading, isMissing } = computer;
		const other = whatOthersDo(state, operation, id);
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
